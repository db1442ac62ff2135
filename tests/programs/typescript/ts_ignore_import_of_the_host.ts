// @ts-ignore
import passwd from "/etc/passwd";
console.log(passwd);
