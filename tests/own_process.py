"""Run a command in a process of its own and measure what it took.

On Linux a new process starts with its parent's peak memory, and a test's process may have peaked at gigabytes. So a
small process starts the command, and the test starts the small process.
"""

import json
import subprocess
import sys
from dataclasses import dataclass

_START = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
kilobytes = used.ru_maxrss // (1 if sys.platform == "linux" else 1024)
json.dump([done.returncode, done.stdout, done.stderr, used.ru_utime, kilobytes], sys.stdout)
"""


@dataclass(frozen=True)
class Measured:
    status: int
    stdout: str
    stderr: str
    seconds: float  # of the processor, in user mode
    kilobytes: int  # at its peak


def measured(*arguments: object) -> Measured:
    """The status and output of Python with these arguments, and the time and memory it took. Not on Windows."""
    command = [sys.executable, "-P", "-c", _START, sys.executable, "-P", *map(str, arguments)]
    return Measured(*json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
