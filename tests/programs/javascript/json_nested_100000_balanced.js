JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
