"""Many problems, several at a time, with a folder of their results."""

from __future__ import annotations

import json
import logging
import os
import re
from collections import deque
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, cast

from ncc_routing.core.exceptions import (
    InstanceError,
    NccRoutingError,
    ParameterError,
    message_of,
)
from ncc_routing.core.extras import require_extra
from ncc_routing.core.params import changed, chosen, to_mapping
from ncc_routing.core.processes import distribute
from ncc_routing.core.row_files import Table
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.core.text import printable
from ncc_routing.core.text_files import (
    naming_file,
    read_text,
    replacing,
    require_path,
    write_text,
)
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.plain import parse_object, to_plain
from ncc_routing.problems.read_problem import ReadProblem
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.problem import as_instance, require_several
from ncc_routing.vrp.result import Result
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from typing import Unpack

    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.vrp.params import OneCoreOptions
    from ncc_routing.vrp.problem import Problem

    Answer = Result | Exception

Given = TypeVar("Given")

_logger = logging.getLogger(__name__)

MANIFEST: Final = "manifest"
"""Name of the table of a folder, and of its settings."""

COLUMNS: Final = (
    *("name", "file", "cost", "num_routes", "num_unserved"),
    *("runtime_seconds", "error"),
)
"""Columns of the table: a row for each problem."""

_NO_NAME: Final = re.compile(r'^\.|[/\\:*?"<>|%\x00-\x1f]')
"""What names of files cannot have everywhere."""

_MOST_BYTES: Final = 200
"""Longest stem of a file, which most systems end at 255 bytes."""

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
"""What differs between two texts of the same object."""


def solve_many(  # noqa: PLR0913 (problems, a folder, and how to solve)
    problems: Iterable[Problem | tuple[str, Problem]],
    stop: AnyStop | None = None,
    *,
    jobs: int = 1,
    output: str | os.PathLike[str] | None = None,
    resume: bool = True,
    timetables: bool = False,
    bound_seconds: float | None = None,
    params: SolveParams | None = None,
    **options: Unpack[OneCoreOptions],
) -> Iterator[tuple[str, Result | Exception]]:
    """Solve many problems, several at a time, one core each.

    Each is solved in a process. One that dies is replaced, and its problem
    solved again, twice at most. ``joblib.parallel_config`` chooses another
    backend: Dask, Ray or Spark.

    Parameters
    ----------
    problems
        Any iterable of what :func:`ncc_routing.solve` takes, or of pairs of a
        name and that. It is read while the work goes on, some problems ahead.
        Control characters in names become escapes.
        Names are otherwise those of the instances, those of the files without
        the suffix, or "problem-3" for the third one. The processes read the
        files.
    stop
        As for :func:`ncc_routing.solve`, for each problem, but no
        ``TimeLimit``.
    jobs
        Problems at a time; -1 for one on each core. Default 1.
    output
        Folder of the results, made where it is missing: NAME.json
        (``Result.read``), and a row for each problem in manifest.csv, with the
        columns of ``COLUMNS``. Default: none.
    resume
        Whether a folder with results is completed: those that are whole, and
        of the same problem, are kept; what has failed is tried again.
        Otherwise such a folder is refused. Default ``True``.
    timetables
        Whether the folder gets timetables/NAME.parquet as well, for kept
        results too: ``Result.to_arrow`` behind a column ``problem``, the name.
        Needs pyarrow. Default ``False``.
    bound_seconds, params, **options
        As for :func:`ncc_routing.solve`. The time limit is one of each problem
        and includes the reading of its file.

    Yields
    ------
    tuple[str, Result | Exception]
        The name of each problem, and its result or why there is none, as they
        end; results of a folder that are kept as well. The seed determines
        results that a time limit does not end, whatever the order and the
        backend.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range, two problems have the same
        name (small and capital letters are the same), or the folder has other
        files, or results with other parameters, or there are timetables and
        no folder.
    MissingDependencyError
        If there are timetables and pyarrow is not installed.
    NccRoutingError
        If a file of the folder cannot be written, or another process writes
        there.
    """
    asked = chosen(SolveParams, params, **options)
    changed(asked, {"jobs": jobs})  # refuses what is no number of them
    require_one_each(asked, stop)
    run = partial(solve, stop=stop, bound_seconds=bound_seconds, params=asked)
    chains = ([each] for each in _named(require_several(problems)))
    folder = None
    if timetables and output is None:
        raise ParameterError("timetables need a folder: output.")
    if output is not None:
        budget = budget_of(stop)  # PyVRP's criteria as ours
        settings = settings_of(
            asked,
            stop=budget.stop,
            stop_seconds=round(budget.remaining(), 2),
            bound_seconds=bound_seconds,
        )
        folder = ResultFolder(
            output, settings, resume=resume, timetables=timetables
        )
    return solve_each(
        chains, partial(_answer_one, run), as_instance, folder, jobs
    )


def require_one_each(params: SolveParams, stop: AnyStop | None = None) -> None:
    """Refuse what cannot be the same for many problems."""
    if params.jobs != 1:
        raise ParameterError(
            "jobs are problems at a time; each of them takes one core, so "
            f"params cannot have jobs {params.jobs}."
        )
    if params.max_extra_cost is not None:
        raise ParameterError(
            "max_extra_cost needs an initial solution of each problem."
        )
    budget_of(stop)  # refuses what is no criterion
    if any(
        isinstance(e, TimeLimit) for e in getattr(stop, "criteria", [stop])
    ):
        raise ParameterError(
            "stop: a TimeLimit is for one run; time_limit is for each problem."
        )


def settings_of(params: SolveParams, **others: object) -> dict[str, object]:
    """Return parameters of all problems as plain values, for a record.

    Of a file of references it has the content too.
    """
    told = {
        name: _ADDRESS.sub("", repr(value)) for name, value in others.items()
    }
    reference = params.reference
    if isinstance(reference, str | os.PathLike) and Path(reference).is_file():
        content = Path(reference).read_bytes()
        told["reference_content"] = sha256(content).hexdigest()[:16]
    plain: dict[str, object] = json.loads(json.dumps(to_mapping(params)))
    return {**plain, **told}


def _named(
    problems: Iterable[Problem | tuple[str, Problem]],
) -> Iterator[tuple[str, Any]]:
    """Yield each problem with its name, once."""
    known: set[str] = set()
    for number, each in enumerate(problems, start=1):
        name, problem = "", cast("Any", each)
        match problem:
            case (str(), _):
                name, problem = problem
            case Instance():
                name = problem.name
            case ReadProblem():
                name = problem.instance.name
            case str() | os.PathLike():
                name = Path(problem).stem
        name = printable(name) or f"problem-{number}"
        if name.lower() in known:
            raise ParameterError(
                f"two problems have the name {name!r}: give pairs of a name "
                "and a problem."
            )
        known.add(name.lower())
        yield name, problem


def answer_of(
    run: Callable[[Given], Result], problem: Given
) -> Result | Exception:
    """Return a result, or an error that is expected of a problem."""
    try:
        return run(problem)
    except (NccRoutingError, OSError, MemoryError) as error:
        return error


def _answer_one(
    run: Callable[[Given], Result], problems: Sequence[Given]
) -> list[Answer]:
    return [answer_of(run, problem) for problem in problems]


def solve_each(
    chains: Iterable[Sequence[tuple[str, Given]]],
    work: Callable[[Sequence[Given]], Sequence[Answer]],
    read: Callable[[Given], Instance],
    folder: ResultFolder | None,
    jobs: int,
) -> Iterator[tuple[str, Result | Exception]]:
    """Yield names and answers of problems, those of a folder as well.

    The problems of a chain are solved one after the other: ``work`` answers
    them, in a process. ``read`` says in this one which instance one is.
    """
    kept: deque[str] = deque()

    def missing() -> Iterator[Sequence[tuple[str, Given]]]:
        for chain in chains:
            if folder is not None and all(
                folder.has(name, partial(read, each)) for name, each in chain
            ):
                kept.extend(name for name, _ in chain)
            else:
                yield chain

    def read_again() -> Iterator[tuple[str, Result]]:
        while folder is not None and kept:
            name = kept.popleft()
            yield name, folder.result(name)

    with folder or nullcontext():
        for answers in distribute(
            partial(_answers, work), missing(), _failed, jobs, is_apart=True
        ):
            yield from read_again()
            for name, answer in answers:
                if folder is not None:
                    folder.add(name, answer)
                yield name, answer
        yield from read_again()
        if folder is not None:
            folder.sort()


def _answers(
    work: Callable[[Sequence[Given]], Sequence[Answer]],
    chain: Sequence[tuple[str, Given]],
) -> list[tuple[str, Answer]]:
    """Return names and answers, in a process."""
    names, problems = zip(*chain, strict=True)
    return list(zip(names, work(problems), strict=True))


def _failed(
    chain: Sequence[tuple[str, Given]], error: Exception
) -> list[tuple[str, Answer]]:
    return [(name, error) for name, _ in chain]


def row_of(name: str, answer: Answer) -> dict[str, object]:
    """Return the row of a problem, without its file."""
    if isinstance(answer, Exception):
        return {"name": name, "error": message_of(answer)}
    is_whole = float(answer.cost).is_integer()
    return {
        "name": name,
        "cost": int(answer.cost) if is_whole else answer.cost,
        "num_routes": answer.num_routes,
        "num_unserved": len(answer.unserved),
        "runtime_seconds": round(answer.runtime, 4),
    }


class ResultFolder:
    """A folder with a result for each problem, and a table of all.

    Within the context no other process writes there. What is in the table is
    written; each file and each row appear when they are whole.

    Parameters
    ----------
    path
        The folder, made where it is missing.
    settings
        What all its results have in common.
    resume
        Whether it may have results.
    timetables
        Whether it has a timetable of each as well, in Parquet.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        settings: Mapping[str, object],
        *,
        resume: bool = True,
        timetables: bool = False,
    ) -> None:
        if timetables:
            require_extra("pyarrow")
        self._path = require_path(path, "the results")
        self._settings, self._resume = settings, resume
        self._timetables = timetables
        self._solved: dict[str, bool] = {}

    def __enter__(self) -> Self:
        """Claim the folder; refuse one that is of something else."""
        table = self._path / f"{MANIFEST}.csv"
        with naming_file(self._path):
            self._path.mkdir(parents=True, exist_ok=True)
            # Hidden ones are those of systems, and of a killed process.
            is_other = not table.exists() and any(self._path.glob("[!.]*"))
        if is_other or (table.exists() and not self._resume):
            what = "files of something else" if is_other else "results"
            raise ParameterError(
                f"{self._path} holds {what}: name a new folder."
            )
        self._table = Table(table, COLUMNS, ("name",))
        self._table.append(())  # which closes it to others
        try:
            self._table.require_columns(COLUMNS)
            self._require_same()
        except BaseException:
            self._table.__exit__()
            raise
        for row in self._table.rows:
            self._solved[row["name"]] = not row["error"]
        return self

    def __exit__(self, *_: object) -> None:
        self._table.__exit__()

    def _require_same(self) -> None:
        """Refuse results with other settings; a new folder gets these."""
        file = self._path / f"{MANIFEST}.json"
        if not self._table.rows:
            write_text(file, json.dumps(self._settings, indent=2) + "\n")
            return
        text = read_text(file)
        try:
            known = parse_object(text)
        except (TypeError, ValueError, RecursionError):
            rule = "holds no settings of results"
            raise InstanceError(file, "file", rule) from None
        for name in sorted({*known, *self._settings}):
            old, new = known.get(name), self._settings.get(name)
            if old != new:
                raise ParameterError(
                    f"{self._path} holds results with {name} {old}, not "
                    f"{new}: name another folder."
                )

    def file_of(self, name: str) -> Path:
        """Return the file of the result of a name."""
        stem = _NO_NAME.sub(lambda found: f"%{ord(found[0]):02X}", name)
        if stem.lower() == MANIFEST:
            stem += "%"
        if len(content := stem.encode()) > _MOST_BYTES:
            rest = sha256(content).hexdigest()[:16]
            stem = f"{content[:_MOST_BYTES].decode(errors='ignore')}%{rest}"
        return self._path / f"{stem}.json"

    def has(self, name: str, read: Callable[[], Instance]) -> bool:
        """Whether there is a whole result of the problem of a name."""
        if not self._solved.get(name):
            return False
        try:
            instance = Result.read(self.file_of(name)).instance
            if _text(instance) == _text(read()):
                return True
            why = "is of another problem"
        except (NccRoutingError, OSError) as error:
            why = message_of(error)
        _logger.warning("%s is solved again: %s", self.file_of(name), why)
        return False

    def result(self, name: str) -> Result:
        """Return the result of a name, whose timetable may be missing."""
        result = Result.read(self.file_of(name))
        if self._timetables and not self._timetable_of(name).exists():
            self._write_timetable(name, result)
        return result

    def add(self, name: str, answer: Answer) -> None:
        """Write a result, or why there is none."""
        row = row_of(name, answer)
        if self._timetables and isinstance(answer, Result):
            self._write_timetable(name, answer)
        else:  # there may be that of an earlier answer
            timetable = self._timetable_of(name)
            with naming_file(timetable):
                timetable.unlink(missing_ok=True)
        file = self.file_of(name)
        if isinstance(answer, Result):
            answer.write(file)
            row["file"] = file.name
        else:
            with naming_file(file):
                file.unlink(missing_ok=True)
        self._table.append([row])

    def _timetable_of(self, name: str) -> Path:
        stem = self.file_of(name).stem
        return self._path / "timetables" / f"{stem}.parquet"

    def _write_timetable(self, name: str, result: Result) -> None:
        from pyarrow import parquet

        table = result.to_arrow()
        names = [[name] * table.num_rows]
        path = self._timetable_of(name)
        with naming_file(path):
            path.parent.mkdir(exist_ok=True)
        with replacing(path) as file:
            parquet.write_table(table.add_column(0, "problem", names), file)

    def sort(self) -> None:
        """Sort the table by name, once all rows are there."""
        self._table.rewrite(key=itemgetter("name"))


def _text(instance: Instance) -> str:
    """Return what two equal instances have in common."""
    return json.dumps(to_plain(instance))
