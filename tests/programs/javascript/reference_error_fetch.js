const response = await fetch("https://example.com/");
console.log(response.status);
