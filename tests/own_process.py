"""Run a command in a separate process, and measure its time and memory.

On Linux, a new process inherits the peak memory of its parent, which may be gigabytes in a test. So the test starts a
small process, and the small process starts the command.
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
    seconds: float  # CPU seconds in user mode
    kilobytes: int  # peak memory


def measured(*arguments: object) -> Measured:
    """Run Python with these arguments. Returns the status, the output, the time and the memory. Not on Windows."""
    command = [sys.executable, "-P", "-c", _START, sys.executable, "-P", *map(str, arguments)]
    return Measured(*json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
