const pattern = new RegExp("[a-");
