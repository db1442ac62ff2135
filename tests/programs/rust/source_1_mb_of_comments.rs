// A comment that is repeated until the program has a million bytes, and no main.
