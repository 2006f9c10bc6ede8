"""What a service takes and gives at most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import bounded, check_bounds, shell_option
from ncc_routing.core.processes import num_workers

GRACE: Final = 60.0
"""Seconds beyond its limit after which a search is ended: it reads and checks
matrices of 10,000 places within them."""

MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class AgentParams:
    """Limits of a call of an agent.

    Parameters
    ----------
    time_limit
        Most seconds of a call. A search that states none gets 10, and that
        of what_if 1. Default 30.
    max_megabytes
        Largest file of a call, in 10^6 bytes. Default 5.

    Raises
    ------
    ParameterError
        If a value is out of its bounds.
    """

    time_limit: float = bounded(
        30.0,
        0.01,
        86_400.0,
        metadata=shell_option("Largest time of a call.", "SECONDS"),
    )
    max_megabytes: float = bounded(
        5.0,
        0.001,
        1000.0,
        metadata=shell_option("Largest file of a call.", "MB"),
    )

    def __post_init__(self) -> None:
        check_bounds(self)


@dataclass(frozen=True)
class ServeParams:
    """Limits of a service.

    Parameters
    ----------
    time_limit
        Most seconds of work of a request. One that states none gets n / 100,
        at least 0.2. Default 10.
    max_megabytes
        Largest body of a request, in 10^6 bytes. Default 5.
    max_jobs
        Most tasks of a request, both ends of a shipment counted, and most
        vehicles. Default 10,000.
    workers
        Requests that are solved at a time, each in a process. Default:
        ``None``, one for each core.
    queue
        Requests that wait at most; beyond, the answer is 503. Default:
        ``None``, twice the workers.
    osrm
        Address of OSRM, which is asked for distances and durations where a
        request has no matrices. Default: straight lines.
    cors
        Origin whose pages may ask, "*" for all. Default "*", as of
        vroom-express.
    lenient
        Whether keys of VROOM's JSON that are not known are given back.
        Default: they are refused.

    Raises
    ------
    ParameterError
        If a value is out of its bounds.
    """

    time_limit: float = bounded(
        10.0,
        0.01,
        86_400.0,
        metadata=shell_option(
            "Largest time limit of a request; without one it gets n / 100, "
            "at least 0.2.",
            "SECONDS",
        ),
    )
    max_megabytes: float = bounded(
        5.0,
        0.001,
        1000.0,
        metadata=shell_option("Largest body of a request.", "MB"),
    )
    max_jobs: int = bounded(
        10_000,
        1,
        1_000_000,
        metadata=shell_option(
            "Largest number of tasks, and of vehicles, of a request."
        ),
    )
    workers: int | None = bounded(
        None,
        1,
        1024,
        metadata=shell_option("Requests solved at a time.", shown="the cores"),
    )
    queue: int | None = bounded(
        None,
        0,
        100_000,
        metadata=shell_option(
            "Largest number of waiting requests; further ones get a 503.",
            shown="twice the workers",
        ),
    )

    osrm: str | None = field(
        default=None,
        metadata=shell_option(
            "OSRM server for requests without matrices: "
            "http://localhost:5000.",
            "URL",
            shown="straight lines",
        ),
    )
    cors: str = field(
        default="*",
        metadata=shell_option(
            "Origin whose pages may ask, such as https://example.org; * for "
            "all.",
            "ORIGIN",
        ),
    )
    lenient: bool = field(
        default=False,
        metadata=shell_option(
            "Give keys of VROOM's JSON that are not known back, or refuse "
            "them."
        ),
    )

    def __post_init__(self) -> None:
        check_bounds(self)
        is_origin = self.cors == "*" or "://" in self.cors
        if not is_origin or self.cors.endswith("/"):
            raise ParameterError(
                "cors must be * or an origin such as https://example.org, got "
                f"{self.cors!r}."
            )
        if self.osrm is not None:
            # Imported here: the command needs no numpy to begin.
            from ncc_routing.desk.osrm import checked_address

            checked_address(self.osrm)
        if self.workers is None:
            object.__setattr__(self, "workers", num_workers())
        if self.queue is None:
            object.__setattr__(self, "queue", 2 * (self.workers or 1))
