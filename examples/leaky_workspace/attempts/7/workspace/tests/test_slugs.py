from slugs import slugify


def test_words_are_joined_by_hyphens() -> None:
    assert slugify("Hello, wide World!") == "hello-wide-world"


def test_edges_are_trimmed() -> None:
    assert slugify("  --a--  ") == "a"
