"""What tests of matrices read."""

from ncc_routing.desk.matrices import NamedMatrix, read_travel


def read_matrix(source: object, size: int | None = None) -> NamedMatrix:
    """Return the distances of a source that says no durations."""
    found = read_travel(source, size)
    assert found.distances is not None
    assert found.durations is None
    return found.distances
