console.log(“hello”);
