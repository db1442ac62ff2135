const root = new RangeError("the disk is full");
const middle = new Error("the log cannot be written", { cause: root });
throw new Error("the service stopped", { cause: middle });
