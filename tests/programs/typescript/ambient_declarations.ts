declare namespace D { const q: number }
declare function ext(): void;
declare class K { }
declare enum X { A = 1 }
declare global { interface Foo { } }
export {};
console.log("ok");
