console.log(count);
const count = 1;
