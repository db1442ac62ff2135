class Money {
  toJSON() {
    return this.amount.toFixed(2);
  }
}
console.log(JSON.stringify({ price: new Money() }));
