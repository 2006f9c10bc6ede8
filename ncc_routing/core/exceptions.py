"""Every error that the package raises on purpose."""

from __future__ import annotations

from typing import Any, Final

from ncc_routing.core.text import printable, shortened

_LONGEST: Final = 1_000
"""Characters of a message, and of the name of a file in it."""


class NccRoutingError(Exception):
    """Base class of all errors of ncc_routing."""

    def __str__(self) -> str:
        """Return the message, whatever a file or its name holds."""
        return shortened(printable(super().__str__()), _LONGEST)


class InstanceError(NccRoutingError, ValueError):
    """An input that breaks a rule of its format.

    Parameters
    ----------
    source
        The file, or the name of the object, that holds the value.
    field
        The wrong section or attribute.
    rule
        What a valid value has to satisfy.
    value
        The value found, which the message shows. Default: none.
    details
        Further lines of the message. Default: none.

    Attributes
    ----------
    options
        Options of the shell that answer what is asked. Default: none.
    parts
        The errors that this one combines. Default: none.
    questions
        What a dialogue may ask to mend it. Default: nothing.
    """

    def __init__(
        self,
        source: object,
        field: str,
        rule: str,
        value: object = None,
        details: tuple[str, ...] = (),
    ) -> None:
        if getattr(value, "ndim", None) == 0:  # of NumPy: np.int64(9)
            value = value.item()  # type: ignore[attr-defined]
        got = "" if value is None else f", got {shortened(repr(value))}"
        where = f"{shortened(str(source), _LONGEST // 2)}: {shortened(field)}"
        super().__init__(f"{where}: {rule}{got}.")
        self.source = source
        self.field = field
        self.rule = rule
        self.value = value
        self.details = details
        self.options: tuple[str, ...] = ()
        self.parts: tuple[NccRoutingError, ...] = ()
        self.questions: tuple[object, ...] = ()

    def __str__(self) -> str:
        """Return the message, and the details on a line each."""
        more = (shortened(printable(each), _LONGEST) for each in self.details)
        return "\n".join((super().__str__(), *more))

    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the parts, so that a worker can raise it."""
        parts = (self.source, self.field, self.rule, self.value, self.details)
        return type(self), parts


class UnsupportedProblemError(InstanceError):
    """A valid input with a feature that the method does not support."""


class TooLargeError(InstanceError):
    """A valid input that takes more memory than there may be."""


class InfeasibleError(NccRoutingError):
    """No feasible solution was found, or none can exist.

    Parameters
    ----------
    message
        The reason, in one line.
    solution
        The ``Solution`` with the fewest absent customers, which satisfies all
        other constraints. Default: ``None``, if the input alone proves
        infeasibility, or no search ran.
    absent
        Ids of the absent customers, or their numbers as texts; of a group,
        only the first customer. Default: none known.
    """

    def __init__(
        self, message: str, solution: Any = None, absent: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.solution = solution
        self.absent = absent


class OutOfTimeError(InfeasibleError):
    """The time was up before there was a feasible solution."""


class ParameterError(NccRoutingError, ValueError):
    """An argument that is unknown, of a wrong kind, or out of range."""


class RoutingError(NccRoutingError):
    """A routing engine did not answer, or not as it should."""


class MissingDependencyError(NccRoutingError, ImportError):
    """An optional package that the request needs is not installed."""


class DeadProcessError(NccRoutingError):
    """A process that worked for this one has ended without an answer.

    ``code`` is its exit code, negative where a signal ended it, ``None``
    where it was stopped on purpose.
    """

    def __init__(self, code: int | None) -> None:
        how = "was stopped"
        if code is not None:
            how = f"ended with code {code}"
            if code < 0:
                how = f"was killed by signal {-code}"
        super().__init__(f"a worker process {how}.")
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the code."""
        return type(self), (self.code,)


def message_of(error: Exception) -> str:
    """Return the message of any error on one line."""
    text = " ".join(str(error).split())
    if text and isinstance(error, (NccRoutingError, OSError)):
        return text
    return f"{type(error).__name__}: {text}".removesuffix(": ")
