"""Experiment files: many runs that differ in the chip, the size or the launch."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._picture import Picture, fitted

if TYPE_CHECKING:
    import pandas


def experiment(
    file: Union[str, os.PathLike[str]],
    *,
    store: Optional[Union[str, os.PathLike[str]]] = None,
    jobs: Optional[int] = None,
) -> Experiment:
    """Runs an experiment file (docs/EXPERIMENTS.md): its path, or its text.

    Files that a text names are relative to the current folder. With `store` the results are kept in
    a file, and only missing ones are simulated; the command line uses the same file. `jobs` is the
    number of points that run at a time.

    >>> import warpsim
    >>> result = warpsim.experiment('''(
    ...     kernels: [(kernel: "vecadd")],
    ...     factors: [(name: "warps", vary: chip("sm.max_warps"), values: [8, 16])],
    ...     metrics: ["cycles"],
    ... )''')
    >>> result.frame()["warps"].tolist()
    [8, 16]
    """
    is_text = isinstance(file, str) and "(" in file and "\n" in file
    path = Path("experiment.ron" if is_text else file)
    made = _native.experiment(
        str(file) if is_text else None,
        str(path),
        None if store is None else os.fspath(store),
        jobs or os.cpu_count() or 1,
    )
    return Experiment(made)


class Experiment:
    """The results of an experiment: rows of points, and answers to the questions of the file."""

    def __init__(self, native: _native.Experiment) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return self._native.name

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The points with their results."""
        return [json.loads(line) for line in self._native.rows.splitlines()]

    def frame(self) -> pandas.DataFrame:
        """Returns the points as a pandas frame."""
        import pandas

        return pandas.DataFrame(self.rows)

    @cached_property
    def answers(self) -> dict[str, Any]:
        """The answers: effects, fronts, best points, sensitivities and gains."""
        return json.loads(self._native.answers)

    @property
    def text(self) -> str:
        """The answers as text."""
        return self._native.text

    @property
    def messages(self) -> list[str]:
        """Messages of the run."""
        return self._native.messages

    @cached_property
    def pictures(self) -> dict[str, Picture]:
        """The pictures of the answers."""
        return {name: Picture(name, svg) for name, svg in self._native.pictures}

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the results as an HTML page."""
        Path(path).write_text(self._native.page, encoding="utf-8")

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        drawn = "".join(fitted(picture.svg) for picture in self.pictures.values())
        table = self.frame().drop(columns="digest").to_html()
        return f"{table}<pre style='font-family:monospace'>{html.escape(self.text)}</pre>{drawn}"
