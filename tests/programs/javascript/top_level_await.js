const value = await new Promise((resolve) => setTimeout(() => resolve(42), 2));
console.log(value);
export const answer = value;
export default value;
