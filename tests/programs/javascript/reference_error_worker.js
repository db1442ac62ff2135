new Worker("./count.js").postMessage(1);
