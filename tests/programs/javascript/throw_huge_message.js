throw new Error("a".repeat(20_000_000));
