function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error("the settings cannot be read", { cause: error });
  }
}

parse("{bad");
