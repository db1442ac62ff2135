const name: string = "x";
const page = <div className="a">{name}</div>;
console.log(page);
