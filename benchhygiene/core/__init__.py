"""The typed core: findings, analyzers, the registry, the orchestrator and its report."""
