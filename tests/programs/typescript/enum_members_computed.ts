enum E { A, B, C = A | B, D = "s".length, "quoted-name" = 9, F = -1, G = E.A + 10 }
console.log(E.C, E.D, E["quoted-name"], E.F, E[-1], E.G, Object.keys(E).length);
