"""Changes of a plan while it is driven, for ``replan`` and ``what_if``."""

from ncc_routing.problems.changes import (
    AddOrder,
    AddVehicle,
    Cancel,
    Late,
    OutOfService,
    Window,
)

__all__ = [
    "AddOrder",
    "AddVehicle",
    "Cancel",
    "Late",
    "OutOfService",
    "Window",
]
