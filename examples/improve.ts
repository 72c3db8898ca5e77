import { bench, exact } from 'rsi-loop/bench';
import { iterate, type Proposal } from 'rsi-loop/improve';

// Stand-in for your agent: it reads amounts, and clear prompts help it.
const agent = (text: string, system = '', call = 0) => {
  if (system.includes('hurry')) return 'about 5';
  const isRight = system.includes('with cents') || call % 3 === 0;
  return isRight ? text.trim() : text.trim().split('.')[0];
};

let calls = 0;
const suite = bench('amounts', {
  problems: Array.from({ length: 40 }, (_, index) => ({
    id: `invoice ${index}`,
    input: ` ${index + 1}.50 `,
    expected: `${index + 1}.50`,
  })),
  run: ({ input }, { prompts }) => agent(String(input), prompts.system, calls++),
  score: exact(),
});

// Stand-in for a model or a person who reads the failures.
const ideas: Proposal[] = [
  { variant: { name: 'hurry', prompts: { system: 'Please hurry.' } }, hypothesis: 'speed helps' },
  { variant: { name: 'thanks', prompts: { system: 'Thank you.' } }, hypothesis: 'politeness helps' },
  { variant: { name: 'cents', prompts: { system: 'Answer with cents.' } }, hypothesis: 'answers lack cents' },
];

const { best, rounds, tried } = await iterate(suite, { propose: () => ideas.splice(0, 1), draftSteps: 1, rounds: 3 });
for (const { variant, score } of tried) console.log(`${variant.name}: ${Math.round(score * 100)} % on the open half`);
for (const { round, isKept } of rounds) console.log(`round ${round}: ${isKept ? 'kept' : 'not kept'}`);
console.log(best.prompts); // { system: 'Answer with cents.' }
