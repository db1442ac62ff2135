const limit;
