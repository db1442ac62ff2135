console.log("a-b".replace(/-/g, () => missing()));
