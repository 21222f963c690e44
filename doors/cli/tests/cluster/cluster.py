"""HyperQueue for the tests of `warpsim experiment --engine hyperqueue`.

The Python package `hyperqueue` has the server, the worker and the client of HyperQueue, but not the
program `hq`. This file starts the first two, and answers the commands of `hq` that warpsim uses.

    cluster.py server DIR    runs a server with its files in DIR until it is killed
    cluster.py worker DIR    runs a worker with one CPU for the server of DIR
    cluster.py hq ARGUMENTS  is `hq ARGUMENTS`, for the server of HQ_SERVER_DIR
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading


def fail(why):
    """Ends the program as `hq` does; the first line of an error is its message."""
    print(str(why).splitlines()[0], file=sys.stderr)
    sys.exit(1)


def run_server(folder):
    from hyperqueue.cluster import LocalCluster

    cluster = LocalCluster(server_dir=folder)
    print("ready", flush=True)
    threading.Event().wait()
    del cluster


def run_worker(folder):
    """The package starts workers only in the process of their server. So this process has an idle
    server, whose access file is replaced by that of the server of `folder`."""
    from hyperqueue.cluster import LocalCluster, WorkerConfig

    idle = tempfile.mkdtemp()
    cluster = LocalCluster(server_dir=idle)
    access = "hq-current/access.json"
    os.remove(os.path.join(idle, access))
    shutil.copy(os.path.join(folder, access), os.path.join(idle, access))
    cluster.start_worker(WorkerConfig(cores=1))
    print("ready", flush=True)
    threading.Event().wait()


class Status(Exception):
    """Ends a wait for a job at its first status."""


def status(client, job):
    """Numbers of all, finished and failed tasks of a job."""

    def seen(jobs):
        raise Status(jobs)

    try:
        client.connection.wait_for_jobs([job], seen)
    except Status as found:
        return found.args[0].get(job, {"completed": True})
    return {"completed": True}


def submit(client, arguments, jobs):
    from hyperqueue import Job

    options, command = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    parser = argparse.ArgumentParser(prog="hq submit")
    for name in ["--name", "--array", "--stdout", "--stderr", "--crash-limit"]:
        parser.add_argument(name)
    options = parser.parse_args(options)
    first, _, last = options.array.partition("-")
    job = Job(max_fails=None, name=options.name)
    assert first == "0" and options.stdout == "none"
    limit = int(options.crash_limit) if options.crash_limit else None
    for _ in range(int(last or first) + 1):
        job.program(command, stdout=None, stderr=options.stderr, crash_limit=limit)
    number = client.submit(job).id
    with open(jobs, "a", encoding="utf-8") as out:
        out.write(f"{number}\n")
    print(number)


def hq(arguments):
    from hyperqueue import Client

    folder = os.environ["HQ_SERVER_DIR"]
    jobs = os.path.join(folder, "jobs-of-the-tests")
    try:
        client = Client(folder)
    except RuntimeError as why:
        fail(why)
    match arguments:
        case ["--output-mode", "quiet", "submit", *rest]:
            submit(client, rest, jobs)
        case ["--output-mode", "json", "job", "list", "--filter", "waiting,running"]:
            known = open(jobs, encoding="utf-8").read().split() if os.path.exists(jobs) else []
            alive = [job for job in map(int, known) if not status(client, job)["completed"]]
            print(json.dumps([{"id": job} for job in alive]))
        case ["job", "cancel", _]:
            fail("the Python package cannot cancel jobs")
        case _:
            fail(f"unknown command: {arguments}")


match sys.argv[1:]:
    case ["server", folder]:
        run_server(folder)
    case ["worker", folder]:
        run_worker(folder)
    case ["hq", *arguments]:
        hq(arguments)
    case _:
        sys.exit(__doc__)
