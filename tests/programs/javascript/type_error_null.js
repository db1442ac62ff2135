const match = /(\d+)/.exec("no digits here");
console.log(match[1]);
