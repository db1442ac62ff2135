console.log(Buffer.from("abc").toString("base64"));
