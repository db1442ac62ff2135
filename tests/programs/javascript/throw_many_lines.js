throw new Error("first line\nsecond line\n\tthird line with a tab");
