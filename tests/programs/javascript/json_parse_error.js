const text = '{"name": "Ada", "age": }';
console.log(JSON.parse(text));
