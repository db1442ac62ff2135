[{ age: 3 }, {}].sort((a, b) => a.age.valueOf() - b.age.valueOf());
