const report = `total: ${1 + 2}
console.log(report);
