#!/usr/bin/env -S tsx
enum E {
  A,
}
const x: number = 2;
console.log(x, E.A);
throw new Error("line 7");
