"""The names of the routers, known without loading one."""

from __future__ import annotations

from typing import Final

from ncc_routing.core.extras import is_installed, require_extra
from ncc_routing.core.methods import require_name

ROUTERS: Final = ("lkh", "local-search")
"""Names of the routers: LKH by elkai, and the built-in compiled one."""

DEFAULT_ROUTER: Final = ROUTERS[0 if is_installed("elkai") else 1]
"""LKH where elkai is installed, else the built-in router."""


def require_router(router: object) -> None:
    """Refuse a router that does not exist or that is not installed."""
    require_name("router", router, ROUTERS)
    if router == "lkh":
        require_extra("elkai")
