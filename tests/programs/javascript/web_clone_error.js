structuredClone({ f: () => 1 });
