"""Whole programs with their host code."""

from pathlib import Path

import pytest
import warpsim

EXAMPLES = Path(__file__).parents[3] / "examples" / "programs"


def test_a_program_from_a_file():
    program = warpsim.run(EXAMPLES / "vecadd.cu", chip="g80")
    assert program.code == 0 and program.message is None
    assert program.launches and program.dict["chip"] == "g80"
    assert program.report.metrics["launches"] == len(program.launches)
    assert program.frame()["kernel"].tolist() == [one["kernel"] for one in program.launches]
    assert program.picture()._repr_svg_().startswith("<svg") and program.picture("stalls").title
    assert "<svg" in program._repr_html_()


def test_streams_arguments_and_files():
    program = warpsim.run(
        """
        #include <stdio.h>
        int main(int argc, char **argv) {
            char line[80];
            FILE *in = fopen("in.txt", "r"), *out = fopen("out.txt", "w");
            while (fgets(line, 80, in)) fputs(line, out);
            fgets(line, 80, stdin);
            fprintf(stderr, "%s", line);
            printf("%d %s\\n", argc, argv[1]);
            fclose(out);
            return 7;
        }""",
        args=["one", 2],
        stdin="typed\n",
        files={"in.txt": "a\nb\n"},
    )
    assert (program.stdout, program.stderr, program.code) == ("3 one\n", "typed\n", 7)
    assert program.files == {"out.txt": b"a\nb\n"} and program.report is None
    with pytest.raises(warpsim.Error, match="launches no kernel"):
        program.picture("stalls")
    assert "exit code 7" in program._repr_html_()


def test_mistakes_have_their_place():
    program = warpsim.run("int main() {\n  int *p = 0;\n  *p = 1;\n}", name="null.cu")
    assert program.code == 139 and "null.cu:3" in program.message
    with pytest.raises(warpsim.CompileError, match="bad.cu:1"):
        warpsim.run("int main() { return missing; }", name="bad.cu")
    with pytest.raises(warpsim.CompileError, match="is PTX"):
        warpsim.run(".version 1.4")
    with pytest.raises(FileNotFoundError):
        warpsim.run("no-such-program.cu")
    with pytest.raises(warpsim.Error, match="is refused"):
        warpsim.run("int main() {}", files={"../x": b""})


def test_checkers():
    program = warpsim.run(
        """__global__ void k(int *p) { p[threadIdx.x] = 1; }
        int main() { int *p; cudaMalloc(&p, 64); k<<<1, 32>>>(p); cudaDeviceSynchronize(); }""",
        checks="memory",
    )
    assert any(one.check == "memory" for one in program.report.findings)
    assert program.dict["findings"]
