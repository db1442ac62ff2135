const url = new URL("../b?x=1&x=2#frag", "https://user@example.com:8080/a/c");
url.searchParams.append("q", "a b&c");
console.log(url.href, url.host, url.pathname, url.searchParams.getAll("x"), new URLSearchParams({ a: "1" }).toString());
new URL("not a url");
