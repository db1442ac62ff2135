import passwd from "/etc/passwd";
import etc from "../../etc";
import own from "./program";
import data from "./data.json" with { type: "json" };
console.log(passwd, etc, own, data);
