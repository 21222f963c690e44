"""The cell magic."""

import pytest
import warpsim
from IPython.testing.globalipapp import start_ipython
from IPython.utils.capture import capture_output
from warpsim._magic import has_main


@pytest.fixture(scope="module")
def shell():
    shell = start_ipython()
    shell.run_line_magic("load_ext", "warpsim")
    return shell


def test_a_cell_without_main_is_a_module(shell):
    cell = "__global__ void k(int *p) { *p = 1; }"
    made = shell.run_cell_magic("warpsim", "--chip g80 --name mine", cell)
    assert shell.user_ns["mine"] is made and made.chip.name == "g80"
    assert "<table>" in made._repr_html_()
    with pytest.raises(warpsim.CompileError, match="cell.cu:1"):
        shell.run_cell_magic("warpsim", "", "__global__ void k() { x = 1; }")


def test_a_cell_with_main_is_run(shell):
    cell = '#include <stdio.h>\nint main(int n, char **v) { printf("%s", v[1]); return 2; }'
    with capture_output() as captured:
        ended = shell.run_cell_magic(
            "warpsim", '--args "hello you" --name ended --functional', cell
        )
    assert captured.stdout == "hello\n" and ended.code == 2 and shell.user_ns["ended"] is ended


def test_wrong_options(shell):
    for line, message in (
        ("--chap g80", "unrecognized arguments"),
        ("--set clusters", "expected PATH=VALUE"),
        ("--name 1", "expected the name of a variable"),
    ):
        with pytest.raises(ValueError, match=message):
            shell.run_cell_magic("warpsim", line, "int main() {}")


def test_main_in_a_comment_is_no_program():
    assert has_main("int main (void) {}") and not has_main(
        '// main()\n/* main() */ "main()" void domain();'
    )
