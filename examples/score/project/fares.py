"""What a journey costs, in cents."""


def fare(kilometres, children=0):
    """Return the fare of one adult and so many children, who pay half."""
    adult = 250 + 20 * kilometres
    return adult + children * adult // 2
