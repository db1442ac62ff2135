const fs = require("fs");
