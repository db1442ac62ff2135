const text = "naïve café — 日本語 👩‍👩‍👧";
console.log(text.length, [...text].length, text.toUpperCase(), text.normalize("NFD").length, text.codePointAt(15).toString(16));
console.log("7".padStart(3, "0"), " trim ".trim(), "abc".at(-1), "a,b".split(","), "straße".toUpperCase(), "İ".toLowerCase().length);
console.log("abc".localeCompare("abd"), `${[1, 2]} ${{}} ${null}`, String.raw`a\n${1}`, "x".repeat(3), "abc".includes("bc"));
console.log("\u{1F600}".isWellFormed(), "\ud800".isWellFormed(), escape("ü"), encodeURIComponent("a b&ü"));
