"""PyVRP's model, with the search of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.pyvrp.results import LARGEST, ModelOfPyvrp
from ncc_routing.vrp.drop_in import solve

if TYPE_CHECKING:
    import pyvrp
    from pyvrp.stop import StoppingCriterion


class Model(ModelOfPyvrp):
    """PyVRP's ``Model``, whose method ``solve`` is that of this package."""

    @classmethod
    def from_data(cls, data: pyvrp.ProblemData) -> Model:
        """Return a model of PyVRP's data."""
        model = cls()
        model.__dict__.update(vars(ModelOfPyvrp.from_data(data)))
        return model

    def solve(  # noqa: PLR0913 - PyVRP's parameters, and one more
        self,
        stop: StoppingCriterion,
        seed: int = 0,
        collect_stats: bool = True,
        display: bool = True,
        params: pyvrp.SolveParams | None = None,
        missing_value: int = LARGEST,
        initial_solution: pyvrp.Solution | None = None,
        *,
        all_clients: bool = False,
    ) -> pyvrp.Result:
        """Solve the model as :func:`ncc_routing.pyvrp.solve` does its data.

        Parameters
        ----------
        missing_value
            Distance and duration of edges that are not there. Default: PyVRP's
            largest number.
        display
            Whether to print the progress. Default yes.
        stop, seed, collect_stats, params, initial_solution, all_clients
            As for :func:`ncc_routing.pyvrp.solve`.

        Returns
        -------
        pyvrp.Result
            As of :func:`ncc_routing.pyvrp.solve`.
        """
        return solve(
            self.data(missing_value),
            stop,
            seed,
            collect_stats,
            display,
            params,
            initial_solution,
            all_clients=all_clients,
        )
