console.log(decodeURIComponent("%E0%A4%A"));
