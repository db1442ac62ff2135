import fs = require("fs");
console.log(fs);
