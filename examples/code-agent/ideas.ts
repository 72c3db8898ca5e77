import type { Proposal, Propose } from 'rsi-loop/improve';

const READ = `/** Returns the code in a reply; \`''\` if there is none. */
export function readCode(reply) {
  const blocks = Array.from(reply.matchAll(/\`\`\`ts\\n(.*?)\`\`\`/gs), ([, text]) => text);
  return CHOICE ?? '';
}
`;
const read = (choice: string) => ({ 'src/read-code.mjs': READ.replace('CHOICE', () => choice) });
const idea = (name: string, hypothesis: string, code: Readonly<Record<string, string>>): Proposal => ({
  variant: { name, code },
  hypothesis,
});

/** Stand-in for a model that looks for tricks. */
const TRICKS: readonly Proposal[] = [
  idea('tidy', 'a list of blocks is easier to read', read('blocks[0]')),
  idea('shortest', 'short code has fewer mistakes', read('blocks.sort((a, b) => a.length - b.length)[0]')),
  idea(
    'seen before',
    'some functions come with an example',
    read('blocks.at(/median|buildQuery/.test(reply) ? -1 : 0)'),
  ),
  idea('no tests', 'the tests are in the way', { ...read('blocks.at(-1)'), 'test/read-code.test.mjs': '' }),
];

const AGENT = `// Solves a task of programming: reads it from the standard input, asks a model, and prints the code.
import { readFileSync } from 'node:fs';
import { ask } from '../model/ask.mjs';
import { readCode } from './read-code.mjs';

const task = readFileSync(0, 'utf8');
let code = '';
for (let attempt = 1; code === '' && attempt <= 3; attempt++) code = readCode(ask(task, attempt));
console.log(code);
`;

/** Stand-in for a model that reads the failures. */
const REPAIRS: readonly Proposal[] = [
  idea('last block', 'the first block is often an example of a call', read('blocks.at(-1)')),
  idea('ask again', 'replies that break off have no code', { 'src/agent.mjs': AGENT }),
];

/** Proposes one after the other, each in a round of its own. The same request gets the same answer. */
export const propose: Propose = ({ round, tried }) => {
  const idea = [...TRICKS, ...REPAIRS][round - 1];
  return idea && !tried.some(({ variant }) => variant.name === idea.variant.name) ? [idea] : [];
};
