class Account {
  constructor(
    public readonly owner: string,
    private balance: number = 0,
  ) {}

  withdraw(amount: number): number {
    if (amount > this.balance) {
      throw new Error(`${this.owner} has only ${this.balance}`);
    }
    return (this.balance -= amount);
  }
}
const account = new Account("ada", 10);
console.log(account.withdraw(4));
console.log(account.withdraw(40));
