const settings = Object.freeze({ theme: "dark" });
settings.theme = "light";
