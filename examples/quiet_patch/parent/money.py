"""Amounts of money in cents."""


def parse(text):
    """Return the cents that a text such as "1,234.50" says."""
    whole, _, cents = text.replace(",", "").partition(".")
    return int(whole) * 100 + int(cents or "0")


def split(total, people):
    """Return what each person pays, so that the sum is the total."""
    share, rest = divmod(total, people)
    return [share + 1] * rest + [share] * (people - rest)
