// A comment that is repeated until the program is larger than a reply may be.
