import { bench, contains, expectBetter } from 'rsi-loop/bench';

// Simulates your agent: it forgets the currency unless the prompt asks for it.
let calls = 0;
const agent = (question: string, system = '') => {
  const remembers = system.includes('currency') || ++calls % 3 === 0;
  return remembers ? `${question} EUR` : question;
};

const suite = bench('prices', {
  problems: Array.from({ length: 20 }, (_, index) => ({
    id: `price ${index}`,
    input: `${index + 1}.50`,
    expected: 'EUR',
  })),
  run: ({ input }, { prompts }) => agent(String(input), prompts.system),
  score: contains(),
});

// In a test of vitest, jest or node:test this line is all: it throws with the figures unless the variant is better.
await expectBetter(suite, { name: 'names the currency', prompts: { system: 'Always name the currency.' } });
console.log('better');

await expectBetter(suite, { name: 'polite', prompts: { system: 'Be polite.' } }, { maxPairs: 40 }).catch((error) =>
  console.log(String(error.message).split('.')[0]),
);
