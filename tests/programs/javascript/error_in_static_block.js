class Registry {
  static entries = new Map();
  static {
    this.entries.set("a", missingValue);
  }
}
