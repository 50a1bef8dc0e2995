"""The version of this software, which with a plan sets every bit of a result."""

from importlib.metadata import version

__version__ = version("counting")
