const problems = [];
for (const [name, value] of Object.entries({ title: "", author: "Ada", year: 0 })) {
  if (!value) problems.push(new Error(`${name} is empty`));
}
throw new AggregateError(problems, "the record is wrong");
