const moment = new Date(Date.UTC(2024, 1, 29, 12, 30));
console.log(moment.toISOString(), moment.getUTCDay(), moment.getTime(), JSON.stringify({ at: moment }));
console.log(new Date("2024-01-02T03:04:05+02:00").toISOString(), new Date("2024-03-10").getTimezoneOffset());
console.log(new Date(2024, 0, 31, 0, 0).toString(), new Date("nonsense").getTime(), Date.now() > 1.7e12);
new Date("nonsense").toISOString();
