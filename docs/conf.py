"""Sphinx configuration."""

from importlib.metadata import version as installed_version

project = "ncc_routing"
author = "The ncc_routing developers"
copyright = author
release = version = installed_version("ncc_routing")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build"]
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_title = "ncc_routing"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
