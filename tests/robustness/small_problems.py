"""Small problems against all of their plans.

``python -m tests.robustness.small_problems --count 4000`` solves so many
problems with everything that PyVRP knows, and so many with rules of routes.
It prints what goes wrong, and how many answers are the cheapest plan.
"""

from __future__ import annotations

import argparse

from tests.oracles.problems import ruled_problem, small_problem
from tests.vrp.test_full_problems import count_verdicts


def main() -> None:
    """Look at as many problems as wanted, and print the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    numbers = range(parser.parse_args().count)
    for title, problem in (
        ("with everything that PyVRP knows", small_problem),
        ("with rules of routes", ruled_problem),
    ):
        print(f"{title}:")
        for verdict, number in count_verdicts(numbers, problem).items():
            print(f"  {verdict}: {number}")


if __name__ == "__main__":
    main()
