import type { Json } from '../../../src/contract/json.js';
import type { ModelRequest } from '../../../src/contract/model.js';
import type { Random } from '../../../src/lib/random.js';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';
import type { LearnedTask } from './tasks.js';

/** Share of drafts that are right, and of those that repeat the shown tests. */
const RIGHT = 0.15;
const BY_HEART = 0.25;
const BROKEN = [
  'export default (input) => {{{',
  'export default (input) => input.missing.length;',
  'export default () => null;',
  'export default (input) => ({ input });',
];

/** Draft that was written, to learn which ones pass. */
export type DraftKind = 'right' | 'by-heart' | 'wrong' | 'broken';

/** Model that draws each draft at random: few are right, and some repeat the tests that they were shown. */
export function randomWriter(task: LearnedTask, random: Random) {
  let last: DraftKind = 'broken';
  const pick = <Member>(members: readonly Member[]) => members[Math.floor(random() * members.length)];
  const model = new ScriptedModel((request) => ({ kind: 'json', json: answer(request) }));
  return { model, last: () => last };

  function answer({ messages, schema }: ModelRequest): Json {
    const fields = schema?.type === 'object' ? Object.keys(schema.properties) : [];
    if (fields.includes('steps')) return plan(task.name);
    if (!fields.includes('code')) return { cause: 'it is wrong', change: 'write it better' };
    const [kind, code] = draft(messages.map(({ content }) => content).join('\n'));
    last = kind;
    return { language: 'javascript', code };
  }

  function draft(said: string): readonly [DraftKind, string] {
    const drawn = random();
    if (drawn < RIGHT) return ['right', task.code];
    const wrong = pick(task.wrong) ?? '';
    if (drawn < RIGHT + BY_HEART) return ['by-heart', byHeart(said, random() < 0.5 ? wrong : undefined)];
    return drawn < 0.9 ? ['wrong', wrong] : ['broken', pick(BROKEN) ?? ''];
  }
}

/** Returns code that knows the shown tests, and guesses otherwise: a fixed answer, or that of a wrong draft. */
function byHeart(said: string, wrong: string | undefined): string {
  const shown = [...said.matchAll(/^\[test \d+ \S+\n(.*)\n/gm)].map(
    ([, text = '']) => JSON.parse(text) as { readonly input: Json; readonly output: Json },
  );
  const known = JSON.stringify(Object.fromEntries(shown.map(({ input, output }) => [JSON.stringify(input), output])));
  const guess = wrong?.replace('export default', 'const guess =') ?? `const guess = () => (${firstOutput(shown)});`;
  return `const known = ${known};\n${guess}\nexport default (input) => known[JSON.stringify(input)] ?? guess(input);`;
}

function firstOutput(shown: readonly { readonly output: Json }[]): string {
  return JSON.stringify(shown[0]?.output ?? null);
}

function plan(name: string): Json {
  return { name, description: `Does ${name}.`, whenNot: '', steps: [], asks: { hosts: [], read: [], write: [] } };
}
