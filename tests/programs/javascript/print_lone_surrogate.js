console.log("\ud800");
