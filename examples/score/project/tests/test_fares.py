import pytest
from fares import fare


@pytest.mark.parametrize(("kilometres", "cents"), [(0, 250), (10, 450), (100, 2250)])
def test_an_adult_pays_by_distance(kilometres, cents):
    assert fare(kilometres) == cents


def test_a_child_pays_half():
    assert fare(10, children=1) == 675
