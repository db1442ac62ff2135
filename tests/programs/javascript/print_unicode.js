console.log("Grüße, 世界! 👋🏽 e\u0301 \x1b[31mred\x1b[0m");
