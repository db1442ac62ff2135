const order = {
  total() {
    const rate = 2;
    return this.price.amount * rate;
  },
};

order.total();
