const home: string = process.env.HOME;
const path = require("path");
console.log(Buffer.from(home), __dirname, path);
