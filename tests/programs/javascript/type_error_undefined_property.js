const config = { server: { port: 80 } };
console.log(config.client.port);
