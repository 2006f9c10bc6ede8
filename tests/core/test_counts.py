"""Numbers of things in words."""

from ncc_routing.core.text import counted


def test_one_is_singular() -> None:
    """And nothing else."""
    assert counted(1, "vehicle") == counted(1.0, "vehicle") == "1 vehicle"
    assert counted(0, "vehicle") == "0 vehicles"
    assert counted(1234.0, "load dimension") == "1,234 load dimensions"
    assert counted(1.5, "cluster") == "1.5 clusters"
