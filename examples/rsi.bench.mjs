import { bench, exact } from 'rsi-loop/bench';

// Put your agent here. This one reads amounts, and mostly loses the cents.
let calls = 0;
const agent = async (text, system) => {
  const isCareful = system.includes('with cents') || ++calls % 3 === 0;
  return isCareful ? text.trim() : text.trim().split('.')[0];
};

const amounts = bench('amounts', {
  problems: Array.from({ length: 20 }, (_, index) => ({
    id: `invoice ${index}`,
    input: ` ${index + 1}.50 `,
    expected: `${index + 1}.50`,
  })),
  run: ({ input }, { prompts }) => agent(input, prompts.system ?? 'Read the amount.'), // your prompt as it is
  score: exact(),
});

// The prompt to compare with it.
const variants = [{ name: 'v2', prompts: { system: 'Read the amount, with cents.' } }];

export default { suites: [amounts], variants };
