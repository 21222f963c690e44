"""Compilations and launches of kernels."""

import json
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import warpsim

SAXPY = """
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
"""

ENDLESS = """
__global__ void endless(int *p) {
    volatile int *q = p;
    for (int i = 0; *q == 0; i++) q[1] = i;
}
"""


def saxpy():
    return warpsim.compile(SAXPY, name="saxpy.cu")


def arrays(n=1000):
    return np.ones(n, np.float32), np.arange(n, dtype=np.float32)


def test_arrays_go_in_and_out_in_place():
    y, x = arrays()
    report = saxpy().launch("saxpy", 4, 256, y, x, 2, 1000)
    assert np.array_equal(y, 1 + 2 * np.arange(1000, dtype=np.float32))
    assert report.finished and report.cycles > 0
    assert report.dict["runs"][0]["launch"]["kernel"] == "_Z5saxpyPfPKffi"
    assert report.metrics["inst_executed"] == report.dict["runs"][0]["instructions"]["warp"]
    assert report.lines[0].place == "4" and "y[i]" in report.lines[0].source
    assert abs(sum(report.lines[0].states.values()) - 1) < 1e-9
    assert report.limited_by in report.text.lower() or "limited by" in report.text


def test_equal_launches_have_equal_reports():
    module = saxpy()
    texts = {
        module["saxpy"][4, 256](*arrays(), 2.0, 1000, threads=threads).json for threads in (1, 2)
    }
    assert len(texts) == 1


def test_ptx_is_detected_and_launched():
    ptx = saxpy().ptx
    module = warpsim.compile(ptx)
    assert module.name == "kernel.ptx" and module["saxpy"].symbol == "_Z5saxpyPfPKffi"
    assert [p.is_pointer for p in module["saxpy"].parameters] == [True, True, False, False]
    y, x = arrays()
    module.launch("saxpy", (4, 1), (256, 1, 1), y, x, 2.0, 1000, timed=False)
    assert y[10] == 21


def test_cuda_c_is_compiled_again_for_another_chip():
    module = warpsim.compile(SAXPY, chip="fermi")
    y, x = arrays()
    report = module.launch("saxpy", 4, 256, y, x, 2.0, 1000, chip="g80")
    assert report.dict["runs"][0]["chip"]["name"] == "g80"


def test_resources_and_names():
    module = warpsim.compile(
        """
        template <int N> __global__ void fill(int *p) { __shared__ int s[N]; s[threadIdx.x] = N;
            p[threadIdx.x] = s[threadIdx.x]; }
        template __global__ void fill<32>(int *);
        template __global__ void fill<64>(int *);
        """
    )
    assert [kernel.shared_bytes for kernel in module] == [128, 256]
    assert module["fill<64>"].shared_bytes == 256
    with pytest.raises(warpsim.LaunchError, match="several kernels"):
        module["fill"]
    with pytest.raises(warpsim.LaunchError, match=r"no kernel `fil`"):
        module["fil"]
    p = np.zeros(64, np.int32)
    module["fill<64>"][1, 64](p)
    assert set(p.tolist()) == {64}


def test_messages_of_the_compiler():
    with pytest.raises(warpsim.CompileError) as caught:
        warpsim.compile("__global__ void k(int *p) {\n  *p = missing;\n}", name="bad.cu")
    assert "bad.cu:2" in str(caught.value) and "missing" in str(caught.value)
    with pytest.raises(warpsim.CompileError, match="(?s)error.*add.f33"):
        warpsim.compile(".version 1.4\n.target sm_10\n.entry k () { add.f33 %a, %b, %c; }")
    with pytest.raises(TypeError, match="expected a text or a path"):
        warpsim.compile(3)


@pytest.mark.parametrize(
    "change, error, message",
    [
        ({0: [1.0, 2.0]}, TypeError, "expected a numpy array"),
        ({0: np.ones(1000)}, TypeError, "expected an array of float32, found float64"),
        ({0: np.ones(2000, np.float32)[::2]}, ValueError, "not contiguous"),
        ({0: np.ones(4, object)}, TypeError, "expected an array of float32"),
        ({2: "2"}, TypeError, "expected a number, found str"),
        ({2: np.ones(2, np.float32)}, TypeError, "expected a value, found an array"),
        ({3: 2.5}, TypeError, "expected a whole number, found 2.5"),
        ({3: 1 << 40}, ValueError, "out of range"),
        ({2: 1e300}, ValueError, "too large"),
    ],
)
def test_wrong_arguments(change, error, message):
    args = [*arrays(), 2.0, 1000]
    for place, value in change.items():
        args[place] = value
    with pytest.raises(error, match=message) as caught:
        saxpy().launch("saxpy", 4, 256, *args)
    place = next(iter(change))
    assert f"argument {place + 1} of saxpy" in str(caught.value)


def test_wrong_launches():
    module, args = saxpy(), (*arrays(), 2.0, 1000)
    with pytest.raises(TypeError, match="expects 4 arguments, found 1"):
        module.launch("saxpy", 4, 256, args[0])
    with pytest.raises(warpsim.LaunchError, match="threads per block"):
        module.launch("saxpy", 4, 2048, *args)
    with pytest.raises(TypeError, match="grid: expected a number"):
        module.launch("saxpy", (1, 2, 3, 4), 256, *args)
    with pytest.raises(TypeError, match="block: expected a number"):
        module.launch("saxpy", 1, -1, *args)
    with pytest.raises(warpsim.ChipError, match="did you mean `g80`"):
        module.launch("saxpy", 4, 256, *args, chip="g81")
    with pytest.raises(warpsim.ChipError, match="only its occupancy rules"):
        module.launch("saxpy", 4, 256, *args, chip="kepler")
    with pytest.raises(ValueError, match="`rac` is not a checker"):
        module.launch("saxpy", 4, 256, *args, checks="rac")
    with pytest.raises(ValueError, match="shared: expected a whole number from 0 on, found -1"):
        module.launch("saxpy", 4, 256, *args, shared=-1)
    with pytest.raises(ValueError, match="without timing"):
        module.launch("saxpy", 4, 256, *args, checks="race", timed=True)
    with pytest.raises(ValueError, match="read-only"):
        y, x = arrays()
        y.flags.writeable = False
        module.launch("saxpy", 4, 256, y, x, 2.0, 1000)


def test_the_same_array_twice_is_one_buffer():
    y = np.ones(8, np.float32)
    saxpy().launch("saxpy", 1, 8, y, y, 1.0, 8)
    assert y.tolist() == [2.0] * 8
    both = np.ones(9, np.float32)
    with pytest.raises(ValueError, match="shares memory"):
        saxpy().launch("saxpy", 1, 8, both[:8], both[1:], 1.0, 8)


def test_a_trap_is_an_exception_with_a_report():
    y, x = arrays(16)
    with pytest.raises(warpsim.LaunchError) as caught:
        saxpy().launch("saxpy", 4, 256, y, x, 2.0, 1000)
    assert not caught.value.report.finished and "y" in str(caught.value)
    assert "kernel `saxpy`" in str(caught.value) and y.tolist() == [1.0] * 16


def test_a_limit_is_an_exception():
    with pytest.raises(warpsim.LaunchError, match="5,000"):
        warpsim.compile(ENDLESS).launch("endless", 1, 32, np.zeros(2, np.int32), max_cycles=5000)


def test_checkers_find_a_race():
    module = warpsim.compile(
        """__global__ void shift(int *out) {
            __shared__ int s[64];
            s[threadIdx.x] = threadIdx.x;
            out[threadIdx.x] = s[(threadIdx.x + 33) % 64];
        }"""
    )
    report = module.launch("shift", 1, 64, np.zeros(64, np.int32), checks="race,memory")
    finding = report.findings[0]
    assert (finding.check, finding.severity) == ("race", "error") and finding.place in ("3", "4")
    assert "kernel.cu:3" in report.text and "RACECHECK: 1 error" in report.text
    with pytest.raises(warpsim.Error, match="no timing"):
        print(report.cycles)
    with pytest.raises(warpsim.Error, match="no pictures"):
        report.picture()


def test_printf_and_symbols(capsys):
    module = warpsim.compile(
        """__constant__ float table[4]; __device__ int total;
        __global__ void k(float *out) { out[threadIdx.x] = table[threadIdx.x];
            atomicAdd(&total, 1); if (threadIdx.x == 0) printf("hello %d\\n", blockDim.x); }"""
    )
    device, out = warpsim.Device(), np.zeros(4, np.float32)
    table = np.array([1, 2, 3, 4], np.float32)
    module.launch("k", 1, 4, out, symbols={"table": table}, device=device)
    assert out.tolist() == table.tolist() and capsys.readouterr().out == "hello 4\n"
    assert device.read_symbol(module, "total", np.int32).tolist() == [4]
    with pytest.raises(warpsim.Error, match="no .global or .const variable `missing`"):
        device.write_symbol(module, "missing", table)


def test_structures_and_scalars():
    module = warpsim.compile(
        """struct Pair { int a; double b; };
        __global__ void k(double *out, Pair p, bool f, unsigned char c, long long l) {
            *out = p.a + p.b + f + c + l; }"""
    )
    pair = np.zeros((), np.dtype([("a", "i4"), ("b", "f8")], align=True))
    pair["a"], pair["b"] = 1, 2.5
    out = np.zeros(1)
    module.launch("k", 1, 1, out, pair, True, 7, np.int64(-1))
    assert out[0] == 10.5
    with pytest.raises(ValueError, match="expected 16 bytes, found 4"):
        module.launch("k", 1, 1, out, np.float32(1), True, 7, 1)


def test_device_arrays():
    device = warpsim.Device("g80", {"sm.max_warps": 16})
    x, y = device.array(np.arange(64, dtype=np.float32)), device.zeros(64)
    report = saxpy()["saxpy"][1, 64](y, x, 3.0, 64)
    assert np.asarray(y)[5] == 15 and "sm.max_warps" in report.text
    with pytest.raises(ValueError, match="several devices"):
        saxpy().launch("saxpy", 1, 64, y, x, 1.0, 64, device=warpsim.Device())
    with pytest.raises(TypeError, match="has a chip already"):
        saxpy().launch("saxpy", 1, 64, y, x, 1.0, 64, chip="g80")
    with pytest.raises(TypeError, match="expected an array of float32"):
        saxpy().launch("saxpy", 1, 64, device.zeros(64, np.int32), x, 1.0, 64)
    x.free()
    with pytest.raises(ValueError, match="has been freed"):
        x.numpy()
    with pytest.raises(warpsim.Error, match="memory"):
        device.zeros(1 << 32)


def test_pictures_frames_and_files(tmp_path):
    report = saxpy().launch("saxpy", 4, 256, *arrays(), 2.0, 1000)
    for name in report.pictures:
        assert report.picture(name)._repr_svg_().startswith("<svg")
    with pytest.raises(warpsim.Error, match="did you mean `stalls`"):
        report.picture("stals")
    assert report.frame().loc["cycles", "value"] == report.metrics["cycles"]
    assert abs(report.lines_frame()["share"].sum() - 1) < 0.02
    assert "<svg" in report._repr_html_() and "limited by" in report._repr_html_()
    for name in ("r.html", "r.json", "r.txt"):
        report.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500
    assert json.loads((tmp_path / "r.json").read_text()) == report.dict
    with pytest.raises(ValueError, match="ends in .html"):
        report.save(tmp_path / "r.png")


def test_launches_release_the_lock():
    module, ticks = saxpy(), []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    y, x = arrays(1 << 17)
    module.launch("saxpy", 512, 256, y, x, 2.0, 1 << 17)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_two_threads_share_a_device():
    device, module = warpsim.Device(), saxpy()
    y = [device.zeros(4096) for _ in range(2)]
    x = device.array(np.ones(4096, np.float32))
    launch = lambda own: [module["saxpy"][16, 256](own, x, 1.0, 4096) for _ in range(3)]  # noqa: E731
    threads = [threading.Thread(target=launch, args=(own,)) for own in y]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [own.numpy()[0] for own in y] == [3.0, 3.0]


INTERRUPTED = {
    "kernel": f"""
import numpy as np, warpsim
module = warpsim.compile('''{ENDLESS}''')
work = lambda: module.launch("endless", 64, 32, np.zeros(2, np.int32), max_cycles=10**12)
""",
    "program": """
import warpsim
work = lambda: warpsim.run("int main() { volatile int i = 0; for (;;) i++; }")
""",
    "experiment": """
import warpsim
work = lambda: warpsim.experiment('''(
    kernels: [(kernel: "matmul-naive", sizes: [512, 768, 1024])],
)''')
""",
}


@pytest.mark.parametrize("what", INTERRUPTED)
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_run(what):
    code = INTERRUPTED[what] + (
        "print('ready', flush=True)\ntry:\n    work()\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
        "import numpy as np\nmodule = warpsim.compile('__global__ void k(int *p) { *p = 1; }')\n"
        "p = np.zeros(1, np.int32); module.launch('k', 1, 1, p); print(p[0])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "stopped\n1\n" and time.monotonic() - begin < 20


def test_values_that_do_not_fit_into_an_array_are_refused():
    device = warpsim.Device()
    array = device.zeros(2, np.int32)
    array.set([3, -4])
    array.set(np.array([3, 4], np.uint64))
    for values, error in (([1.5, 2], TypeError), ([2**33, 1], ValueError), ([1j, 1], TypeError)):
        with pytest.raises(error):
            array.set(values)
        with pytest.raises(error):
            device.array(values, np.int32)
    with pytest.raises(ValueError):
        device.zeros(2, np.uint8).set([-1, 1])
    assert (array.numpy() == [3, 4]).all()
    assert array.ptr > 0
    array.free()
    with pytest.raises(ValueError):
        array.ptr
