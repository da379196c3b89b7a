"""How the site is built: `make docs`. The pictures are drawn by the program itself, right before."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

from plyground import __version__

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent)]

project = "Plyground"
author = "The Plyground founders"
copyright = "The Plyground founders, MIT licence"  # noqa: A001  (the name Sphinx asks for)
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"undoc-members": True}
autodoc_typehints_format = "short"
default_role = "code"  # in docstrings, as on the pages
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_extra", "_live", "_measured", "measured"]
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # boards and `...` in the output of commands

html_theme = "furo"
html_title = "Plyground"
html_static_path = ["_static"]
html_css_files = ["plyground.css"]
html_js_files = ["live.js"]
html_extra_path = ["_extra"]
(DOCS / "_extra").mkdir(exist_ok=True)  # before anything is drawn into it, Sphinx looks whether it is there
html_show_sourcelink = False
html_copy_source = False
# Named fonts only: a page must open without a network.
html_theme_options = {"light_css_variables": {"font-stack": "system-ui, sans-serif"}}


def draw(app: Sphinx) -> None:
    """Draw the pictures that the pages show, and make tables and reports of what was measured."""
    from benchmarks.kept import write_reports
    from pictures import draw_all
    from tables import write_all

    draw_all(DOCS / "_pictures")
    write_all(DOCS / "measured", DOCS / "_measured")
    write_reports(DOCS / "measured" / "tournaments", DOCS / "_extra" / "reports", DOCS / "_measured")


def make_live(app: Sphinx, failed: Exception | None) -> None:
    """Put the page without a server beside the pages, and let their pictures become boards to play on."""
    from live import write_page, write_script

    if failed is None and app.builder.format == "html":
        write_script(Path(app.outdir) / "_static" / "live.js")
        write_page(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Hook into the build."""
    app.connect("builder-inited", draw)
    app.connect("build-finished", make_live)
