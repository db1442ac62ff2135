const values = new Array(-1);
