const text = "👋 hello";
throw new Error(`the first character is ${text[0]}`);
