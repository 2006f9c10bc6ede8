"""What a second core gains."""

from __future__ import annotations

from ncc_routing.benchmarking.experiments.cores import SpeedUp


def test_speed_up_is_read_between_the_budgets_of_one_core() -> None:
    """Halfway from 4 % at 1 s to 2 % at 4 s stands 3 % at 2 s."""
    rows = [
        {"cores": cores, "seconds": seconds, "gap_percent": gap}
        for cores, seconds, gap in (
            ("1", "1.0", "4"),
            ("1", "4.0", "2"),
            ("2", "1.0", "3"),
            ("2", "4.0", "1"),
        )
    ]
    lines = SpeedUp().format(rows).splitlines()
    assert lines[2].replace(" ", "") == "|1.0|2|3.00|2.00|"
    assert lines[3].replace(" ", "") == "|4.0|2|1.00|-|"
