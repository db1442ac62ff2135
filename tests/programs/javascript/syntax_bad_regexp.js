const pattern = /(unclosed/;
