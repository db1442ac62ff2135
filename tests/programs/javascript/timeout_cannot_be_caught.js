for (;;) {
  try {
    for (;;);
  } finally {
    continue;
  }
}
