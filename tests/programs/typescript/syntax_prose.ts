Here is the program that you asked for:

console.log("a");
