function check(value) {
  if (!value) throw "value is missing";
}
check(0);
