"""Reports of launches."""

from __future__ import annotations

import difflib
import html
import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from . import _native
from ._picture import Picture, fitted

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Finding:
    """A mistake that a checker found."""

    #: The checker: `memory`, `race`, `init` or `sync`.
    check: str
    #: Kind of the mistake.
    kind: str
    #: `error`, `warning` or `info`.
    severity: str
    #: Line of the source, such as ``"12"``; ``"0"`` for mistakes of the host program.
    place: str
    #: Text of the line.
    source: str
    #: The mistake in one sentence.
    message: str
    #: Facts about the first example.
    notes: Sequence[str]
    #: The remedy; empty if there is none.
    help: str
    #: How often it occurred.
    times: int


@dataclass(frozen=True)
class Line:
    """A line of the source with the time that warps spend at it."""

    #: Line number; the name of the file comes before it if there are several.
    place: str
    #: Text of the line.
    source: str
    #: Executed warp instructions.
    executed: int
    #: Share of the time of all warps, 0 to 1.
    share: float
    #: State in which warps wait here longest; empty if they do not wait.
    top_wait: str
    #: Share of the line's time by state of the warps.
    states: Mapping[str, float] = field(repr=False)
    #: Transactions of global and local memory.
    transactions: int = 0


class Report:
    """The report of a launch, or of all launches of a program.

    Numbers and texts are about the launch that took longest; `metrics` are about all launches.

    >>> import numpy as np, warpsim
    >>> module = warpsim.compile("__global__ void k(float *x) { x[threadIdx.x] += 1; }")
    >>> report = module.launch("k", 1, 64, np.zeros(64, np.float32))
    >>> report.metrics["launches"], report.metrics["gld_transactions"]
    (1, 2)
    >>> [line.place for line in report.lines]
    ['1']
    >>> print(report.text.splitlines()[0])
    kernel     k: 1 block (1,1,1) of 64 threads (64,1,1), 3 registers
    """

    def __init__(self, native: _native.Run) -> None:
        self._native = native

    @cached_property
    def dict(self) -> Dict[str, Any]:
        """The document of ``warpsim run --json`` (docs/REPORT.md): ``runs`` has the launches."""
        return json.loads(self.json)

    @cached_property
    def json(self) -> str:
        """The same as JSON text. Equal launches have equal texts."""
        return self._native.json()

    @cached_property
    def metrics(self) -> Dict[str, Any]:
        """The metrics of docs/METRICS.md by name; `None` for times of a launch without timing."""
        return json.loads(self._native.metrics())

    @cached_property
    def text(self) -> str:
        """The short report, or the findings of the checkers."""
        return self._native.text()

    @cached_property
    def details(self) -> str:
        """The report with all numbers."""
        return self._native.details()

    @property
    def launch(self) -> Dict[str, Any]:
        """The shown launch: an entry of ``runs`` in the document."""
        return self.dict["runs"][self._native.shown()]

    @property
    def timing(self) -> Dict[str, Any]:
        """The timing of the shown launch."""
        timing = self.launch["timing"]
        if timing is None:
            raise _native.Error(
                "the launch has no timing: it ran with timed=False or with checkers"
            )
        return timing

    @property
    def cycles(self) -> int:
        """Shader cycles of the shown launch."""
        return self.timing["cycles"]

    @property
    def microseconds(self) -> float:
        """Time of the shown launch in microseconds."""
        return self.timing["microseconds"]

    @property
    def limited_by(self) -> str:
        """The resource that limits the shown launch."""
        return self.timing["limits"]["limited_by"]

    @property
    def finished(self) -> bool:
        """Whether all launches have finished."""
        return self._native.finished()

    @property
    def messages(self) -> list[str]:
        """Messages about launches that did not finish, and about findings."""
        return self._native.messages()

    @property
    def printed(self) -> str:
        """Output of ``printf`` in the kernels."""
        return self._native.printed()

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings of the checkers, errors first.

        >>> import numpy as np, warpsim
        >>> module = warpsim.compile("__global__ void k(int *p) { *p = threadIdx.x; }")
        >>> report = module.launch("k", 1, 64, np.zeros(1, np.int32), checks="race")
        >>> report.findings[0].check, report.findings[0].place
        ('race', '1')
        """
        found = []
        for number, launch in enumerate(self.dict["runs"]):
            all = (launch.get("checks") or {}).get("findings", [])
            places = self._native.places(number, [one["line"] for one in all])
            for one, place in zip(all, places):
                names = ("check", "kind", "severity", "source", "message", "notes", "times")
                found.append(
                    Finding(
                        place=place, help=one.get("help", ""), **{name: one[name] for name in names}
                    )
                )
        return found

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of the source, the line with the most time first."""
        all = self.timing["lines"]
        places = self._native.places(self._native.shown(), [one["line"] for one in all])
        return [
            Line(
                place=place,
                source=one["source"].strip(),
                executed=one["executed"],
                share=one["share"],
                top_wait=one["top_wait"][0] if one["top_wait"] else "",
                states={
                    name: cycles / max(one["warp_cycles"], 1) for name, cycles in one["states"]
                },
                transactions=one["transactions"],
            )
            for one, place in zip(all, places)
        ]

    def frame(self) -> pandas.DataFrame:
        """Returns the metrics as a pandas frame: a row for each, with value, unit and meaning."""
        import pandas

        table = {name: (unit, about) for name, unit, about in _native.metric_table()}
        rows = [
            (name, self.metrics[name], *table[name])
            for name in table
            if self.metrics[name] is not None
        ]
        return pandas.DataFrame(rows, columns=["metric", "value", "unit", "about"]).set_index(
            "metric"
        )

    def lines_frame(self) -> pandas.DataFrame:
        """Returns the lines of the source as a pandas frame, with the share of each state."""
        import pandas

        fields = ("place", "source", "executed", "share", "top_wait", "transactions")
        rows = [
            {**{name: getattr(line, name) for name in fields}, **line.states} for line in self.lines
        ]
        return pandas.DataFrame(rows).fillna(0.0)

    @cached_property
    def parts(self) -> list[Tuple[str, str, list[str]]]:
        """Parts of the pictures: heading, explanation, names of pictures."""
        return [(title, note, [name for name, _, _ in drawn]) for title, note, drawn in self._parts]

    @cached_property
    def pictures(self) -> Dict[str, Picture]:
        """The pictures by their names; none for a launch without timing."""
        return {
            name: Picture(title, svg) for _, _, drawn in self._parts for name, title, svg in drawn
        }

    @cached_property
    def _parts(self) -> list[Any]:
        return self._native.parts()

    def picture(self, name: str = "stalls") -> Picture:
        """Returns a picture, which a notebook shows: one of `pictures`.

        >>> import numpy as np, warpsim
        >>> module = warpsim.compile("__global__ void k(float *x) { x[threadIdx.x] += 1; }")
        >>> report = module.launch("k", 1, 64, np.zeros(64, np.float32))
        >>> report.picture("stalls")
        Picture('Time of warps by source line')
        >>> list(report.pictures)
        ['stalls', 'states', 'divergence', 'roofline', 'occupancy', 'sms', 'partitions', 'rows']
        """
        if not self.pictures:
            raise _native.Error("the launch has no pictures, because it ran without timing")
        if name not in self.pictures:
            near = difflib.get_close_matches(name, self.pictures, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise _native.Error(
                f"there is no picture `{name}`{hint}\npictures: {', '.join(self.pictures)}"
            )
        return self.pictures[name]

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the report: an HTML page, JSON or text, by the ending of the path."""
        path = Path(path)
        texts = {".html": self._native.page, ".json": lambda: self.json, ".txt": lambda: self.text}
        make = texts.get(path.suffix)
        if make is None:
            raise ValueError(f"{path}: expected a path that ends in .html, .json or .txt")
        path.write_text(make(), encoding="utf-8")

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return as_html(self, self.text, self.messages)


def as_html(report: Optional[Report], text: str, messages: Sequence[str]) -> str:
    """Returns a report with its pictures for a notebook."""
    out = ["<div class='warpsim' style='max-width:960px'>"]
    for message in messages:
        out.append(f"<p style='color:#b3261e'><b>{html.escape(message)}</b></p>")
    out.append(f"<pre style='font-family:monospace;line-height:1.25'>{html.escape(text)}</pre>")
    for number, (title, note, names) in enumerate(report.parts if report else []):
        drawn = "".join(fitted(report.pictures[name].svg) for name in names) if report else ""
        is_open = " open" if number == 0 else ""
        note = f"<p>{html.escape(note)}</p>" if note else ""
        out.append(
            f"<details{is_open}><summary>{html.escape(title)}</summary>{note}{drawn}</details>"
        )
    return "\n".join([*out, "</div>"])


def frame(
    reports: Union[Mapping[str, Report], Sequence[Report]],
    metrics: Optional[Sequence[str]] = None,
) -> pandas.DataFrame:
    """Returns a pandas frame with a row for each report and a column for each metric.

    >>> import numpy as np, warpsim
    >>> module = warpsim.compile("__global__ void k(float *x) { x[threadIdx.x] += 1; }")
    >>> x = np.zeros(64, np.float32)
    >>> reports = {chip: module.launch("k", 1, 64, x, chip=chip) for chip in ("g80", "fermi")}
    >>> warpsim.frame(reports, ["gld_transactions"])["gld_transactions"].to_dict()
    {'g80': 4, 'fermi': 2}
    """
    import pandas

    named = reports if isinstance(reports, Mapping) else dict(enumerate(reports))
    names = (
        list(metrics) if metrics is not None else [name for name, _, _ in _native.metric_table()]
    )
    known = {name for name, _, _ in _native.metric_table()}
    for name in names:
        if name not in known:
            raise KeyError(f"there is no metric `{name}`: warpsim.metrics() has all")
    rows = [[report.metrics[name] for name in names] for report in named.values()]
    return pandas.DataFrame(rows, index=list(named), columns=names)


def metrics() -> pandas.DataFrame:
    """Returns the table of all metrics: name, unit and meaning (docs/METRICS.md)."""
    import pandas

    return pandas.DataFrame(_native.metric_table(), columns=["metric", "unit", "about"]).set_index(
        "metric"
    )
