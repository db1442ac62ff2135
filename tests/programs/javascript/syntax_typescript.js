interface User { name: string }
const user: User = { name: "Ada" };
console.log(user.name);
