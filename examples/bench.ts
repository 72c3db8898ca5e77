import { bench, compare, describeComparison, exact } from 'rsi-loop/bench';

// Stand-in for your agent: it reads amounts, and a clear prompt helps it with cents.
let calls = 0;
const agent = (text: string, system = '') => {
  const isCareful = system.includes('with cents') || ++calls % 3 === 0;
  return isCareful ? text.trim() : text.trim().split('.')[0];
};

const suite = bench('amounts', {
  problems: Array.from({ length: 20 }, (_, index) => ({
    id: `invoice ${index}`,
    input: ` ${index + 1}.50 `,
    expected: `${index + 1}.50`,
  })),
  run: ({ input }, { prompts }) => agent(String(input), prompts.system),
  score: exact(),
});

const comparison = await compare(suite, { name: 'v2', prompts: { system: 'Answer with cents.' } });
console.log(describeComparison(comparison)); // v2 is better. 100 % against 27 % in 11 pairs …
