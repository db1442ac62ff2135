type Problem = { code: number };
const problem: Problem = { code: 7 };
throw problem;
