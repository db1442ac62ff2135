const total = 1;
const total = 2;
