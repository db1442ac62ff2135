console.log(new Intl.NumberFormat("de-DE").format(1234.5));
