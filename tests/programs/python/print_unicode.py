print("Grüße, 世界! 👋🏽 e\u0301 \u202eabc \x1b[31mred\x1b[0m")
