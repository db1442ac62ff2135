/// <reference path="/etc/passwd" />
/// <reference path="../../../etc/hostname" />
/// <reference types="node" />
/// <reference lib="dom" />
console.log(document.title);
