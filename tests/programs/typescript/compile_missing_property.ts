interface User {
  name: string;
  address: { city: string };
}
const user: User = { name: "ada" };
console.log(user.adress.city);
