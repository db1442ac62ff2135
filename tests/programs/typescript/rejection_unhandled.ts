const late = async (): Promise<never> => {
  throw new Error("nobody waits for this");
};
void late();
console.log("on");
