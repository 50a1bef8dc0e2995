"""The software's version. A plan and the version together determine every bit of a result."""

from importlib.metadata import version

__version__ = version("counting")
