class Account {
  #balance = 0;
  static peek(other) {
    return other.#balance;
  }
}
Account.peek({});
