enum E { A }
const html = `
  line ${E.A}
   more
`;
/* c */ const re = /[/]\/x/g; const q = 4 / 2 / 1;
let n = 1;
n
++
n
console.log(JSON.stringify(html), re.source, q, n);
function r() {
  return (
    // c
    E.A + 1
  );
}
console.log(r());
throw new Error("line 19");
