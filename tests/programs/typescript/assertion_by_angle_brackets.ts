const value: unknown = "text";
const length = (<string>value).length;
const arrow = <T,>(x: T): T => x;
console.log(length, arrow<number>(2));
