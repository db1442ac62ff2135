const forever = () => Promise.resolve().then(forever);
await forever();
