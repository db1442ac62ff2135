JSON.parse("[".repeat(100_000));
