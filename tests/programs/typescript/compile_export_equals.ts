export = { a: 1 };
