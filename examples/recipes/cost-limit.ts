import { bench, compare, describeComparison, exact } from 'rsi-loop/bench';

// Simulates a paid model: 2 cents a call.
let spentUsd = 0;
const ask = (text: string) => {
  spentUsd += 0.02;
  return { answer: text.trim(), costUsd: 0.02 };
};

const problems = Array.from({ length: 20 }, (_, index) => ({
  id: `line ${index}`,
  input: ` ${index} `,
  expected: `${index}`,
}));
const suite = bench('trim', { problems, run: ({ input }) => ask(String(input)), score: exact() });
const comparison = await compare(suite, { name: 'v2' }, { maxUsd: 0.5, concurrency: 1 });
console.log(describeComparison(comparison));
console.log(`spent ${spentUsd.toFixed(2)} USD`);
