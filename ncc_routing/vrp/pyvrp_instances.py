"""The former place of ``from_problem_data``, kept for one release."""

from ncc_routing.vrp.pyvrp_adapter import (
    from_problem_data as from_problem_data,
)
