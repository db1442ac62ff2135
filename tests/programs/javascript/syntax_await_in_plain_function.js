function load() {
  await Promise.resolve(1);
}
load();
