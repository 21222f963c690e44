"""Pictures of reports."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Union


def fitted(svg: str) -> str:
    """Returns a picture that is not wider than its page."""
    return svg.replace("<svg ", "<svg style='max-width:100%;height:auto' ", 1)


class Picture:
    """A picture, which a notebook shows. `svg` is its text."""

    def __init__(self, title: str, svg: str) -> None:
        self.title = title
        self.svg = svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the picture as an SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return fitted(self.svg)

    def __repr__(self) -> str:
        return f"Picture({self.title!r})"
