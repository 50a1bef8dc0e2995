"""Sphinx reads this: `nox -s docs`, or `sphinx-build -W docs build/docs` after `pip install '.[docs]'`."""

import os

from counting.version import __version__

os.environ.setdefault("PYTHONWARNINGS", "ignore")  # of the notebooks' kernels

project = "counting"
release = version = __version__
copyright = "The counting developers"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
html_theme = "furo"
html_title = f"counting {release}"
exclude_patterns = ["meanings"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autosummary_generate = False
