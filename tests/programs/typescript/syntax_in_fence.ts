```ts
console.log("a");
```
