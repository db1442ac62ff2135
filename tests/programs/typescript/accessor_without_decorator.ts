class Counter {
  accessor count: number = 0;
  static accessor made = 0;
}
const counter = new Counter();
counter.count += 2;
Counter.made++;
console.log(counter.count, Counter.made, "count" in Counter.prototype);
