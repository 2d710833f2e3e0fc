import pytest
from money import parse, split


@pytest.mark.parametrize(("text", "cents"), [("1", 100), ("1.50", 150), ("1,234.50", 123450)])
def test_parse(text, cents):
    assert parse(text) == cents


def test_parse_refuses_words():
    with pytest.raises(ValueError, match="invalid literal"):
        parse("one")


def test_split_keeps_every_cent():
    shares = split(1000, 3)
    assert shares == [334, 333, 333]
    assert sum(shares) == 1000
