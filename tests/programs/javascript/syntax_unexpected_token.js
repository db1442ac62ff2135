const a = 1;
const s = "😀é"; let = = 3;
