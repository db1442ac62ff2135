name = "Łukasz 😀"; return name
