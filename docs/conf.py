"""Sphinx configuration."""

from __future__ import annotations

import pathlib
import tomllib

_pyproject = pathlib.Path(__file__).parents[1] / "pyproject.toml"
_project = tomllib.loads(_pyproject.read_text(encoding="utf-8"))["project"]

project = "benchhygiene"
author = "benchhygiene maintainers"
copyright = "benchhygiene maintainers"
version = release = _project["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"benchhygiene {release}"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"

# Two analyzers have a Place of their own, and a signature only says the short name.
suppress_warnings = ["ref.python"]
