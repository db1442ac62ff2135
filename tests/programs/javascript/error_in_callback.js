const words = ["alpha", null, "gamma"];
console.log(words.map((word) => word.length));
