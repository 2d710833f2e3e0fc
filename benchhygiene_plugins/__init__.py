"""The bundled analyzers; each reaches the core through the entry points strangers use."""
