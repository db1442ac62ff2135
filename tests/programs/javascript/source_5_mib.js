const x = 1; // a line of a very long program
