console.log(1);
foo();
