document.body.innerHTML = "x";
window.alert("x");
fetch("https://example.org");
