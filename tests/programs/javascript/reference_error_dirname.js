const path = `${__dirname}/data.json`;
