#!/usr/bin/env -S tsx
const x: number = 2;
console.log(x);
