"""Examples in docstrings and in docs/PYTHON.md, the notebooks, and the stubs."""

import ast
import doctest
import importlib.util
import pkgutil
from pathlib import Path

import nbformat
import pytest
import warpsim
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
NOTEBOOKS = sorted((ROOT / "doors" / "python" / "notebooks").glob("*.ipynb"))
# Packages of hundreds of megabytes that a notebook needs.
NEEDS = {"other-compilers": ("cupy", "numba_cuda", "triton", "warp")}
MODULES = [f"warpsim.{one.name}" for one in pkgutil.iter_modules(warpsim.__path__)]


@pytest.mark.parametrize("name", ["warpsim", *MODULES])
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_examples_of_the_page():
    failed, tried = doctest.testfile(str(ROOT / "docs" / "PYTHON.md"), module_relative=False)
    assert failed == 0 and tried > 5


def test_four_notebooks():
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path):
    for package in NEEDS.get(path.stem, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed; scripts/other-compilers runs it")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}
    ).execute()


def test_all_public_names_have_docstrings():
    for name in warpsim.__all__:
        one = getattr(warpsim, name)
        assert name.startswith("__") or one.__doc__, name
        if isinstance(one, type):
            public = [member for member in vars(one) if not member.startswith("_")]
            undocumented = [
                m for m in public if callable(getattr(one, m)) and not getattr(one, m).__doc__
            ]
            assert not undocumented, (name, undocumented)


def test_the_stubs_have_all_names():
    from warpsim import _native

    stub = ast.parse((Path(warpsim.__file__).parent / "_native.pyi").read_text())
    defined = {
        one.name: one for one in stub.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))
    }
    constants = {one.target.id for one in stub.body if isinstance(one, ast.AnnAssign)}
    public = {name for name in dir(_native) if not name.startswith("_")}
    assert public == set(defined) | {name for name in constants if not name.startswith("_")}
    for name, node in defined.items():
        if not isinstance(node, ast.ClassDef) or issubclass(getattr(_native, name), Exception):
            continue
        real = {member for member in vars(getattr(_native, name)) if not member.startswith("_")}
        names = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        names |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
        assert real == {one for one in names if not one.startswith("_")}, name
