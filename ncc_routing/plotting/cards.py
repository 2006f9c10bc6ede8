"""What a notebook shows of a result."""

from __future__ import annotations

import html


def html_card(summary: str, picture: str = "") -> str:
    """Return lines of text with a picture beside them.

    Parameters
    ----------
    summary
        The text; names in it come from files and are escaped.
    picture
        SVG. Default: none.
    """
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; '
        'align-items: flex-start">'
        f"<pre>{html.escape(summary)}</pre>"
        f'<div style="flex: 1; min-width: 16em; max-width: 32em">{picture}'
        "</div></div>"
    )
