"""The names of the routers, known without loading one."""

from __future__ import annotations

from typing import Final

ROUTERS: Final = ("lkh", "local-search")
"""Names of the routers: LKH by elkai, and the built-in compiled one."""
