const key = Symbol("id");
console.log("key: " + key);
