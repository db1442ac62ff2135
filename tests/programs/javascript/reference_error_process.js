const target = process.argv[2];
