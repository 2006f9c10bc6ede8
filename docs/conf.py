"""Sphinx configuration."""

from importlib.metadata import version as installed_version

from docutils import nodes
from sphinx.application import Sphinx

project = "ncc_routing"
author = "The ncc_routing developers"
copyright = author
release = version = installed_version("ncc_routing")

extensions = [
    "myst_nb",  # brings myst_parser
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_toc_level": 2,
}
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_extra_path = ["llms.txt"]
html_title = "ncc_routing"

autodoc_typehints = "signature"
autodoc_preserve_defaults = True  # a default run shows no memory address
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# The tutorials have no stored outputs: every build runs them.
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_in_temp = True  # they write files
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"


# Letters from which on a cell of a table has a class, and its name: pages.css
# gives it a least width, so that wide tables scroll rather than squeeze.
CELLS = {64: "text-cell", 24: "long-cell", 14: "middle-cell"}


def classify_cells(_app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Tell the style sheet which cells of tables have how much text."""
    for cell in doctree.findall(nodes.entry):
        size = len(cell.astext())
        name = next((CELLS[least] for least in CELLS if size >= least), None)
        if name is not None:
            cell["classes"].append(name)


def setup(app: Sphinx) -> None:
    """Connect what is done to each page."""
    app.connect("doctree-resolved", classify_cells)
