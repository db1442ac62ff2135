```javascript
console.log("hello");
```
