const list = { items: [1, 2, 3] };
console.log(list.items.sum());
