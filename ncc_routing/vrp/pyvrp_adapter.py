"""The former place of ``io.pyvrp_adapter``, kept for one release."""

from ncc_routing.io.pyvrp_adapter import (
    from_problem_data as from_problem_data,
)
from ncc_routing.io.pyvrp_adapter import from_pyvrp as from_pyvrp
from ncc_routing.io.pyvrp_adapter import to_problem_data as to_problem_data
from ncc_routing.io.pyvrp_adapter import to_pyvrp as to_pyvrp
