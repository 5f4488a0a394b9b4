"""The modules ``autoref`` and ``cudd`` of the package dd, by the managers of topdd."""
