"""The software's version. The version and a plan together determine every bit of a result."""

from importlib.metadata import version

__version__ = version("counting")
