function greet(who) {
  return "ü€𝄞家" + greetingFor(who);
}
greet("Zoë");
