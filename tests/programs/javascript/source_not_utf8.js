console.log("café");
