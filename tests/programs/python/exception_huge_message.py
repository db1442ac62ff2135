raise ValueError("a" * 50_000_000)
