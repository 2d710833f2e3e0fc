"""Witness packs as archives: built, verified, signed, published and fetched by digest."""
