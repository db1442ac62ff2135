interface Config {
  names: string[];
}
const config = {} as Config;
console.log(config.names.map((name) => name.trim()));
