for (let n = 0; ; n++) console.log("line", n);
