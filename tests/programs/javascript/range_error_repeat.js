console.log("ab".repeat(-1));
