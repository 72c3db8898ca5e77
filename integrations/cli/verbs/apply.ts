import { fixDecision } from '../store/decide.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { plain } from '../terminal/text.js';

/** The verb `rsi apply <id>`: applies a proposed fix to all tasks immediately, without a trial. */
export const apply = fixDecision(
  {
    name: 'apply',
    summary: 'put a fix in force at once, without a trial',
    examples: [
      ['apply 1371 --reason "obviously right"', 'in force at once'],
      ['apply 1371 --workspace .', 'and a rule written into AGENTS.md at once'],
    ],
    description:
      'Puts a proposed fix in force for everybody, although nothing shows yet that it helps: it is called applied-unverified. A rule is written into its file. Later the loop says how far failures fell since, beside how far they fall by themselves. To have it proven instead: rsi approve.',
    files: true,
    follows: ({ change, written }) => {
      if (change.kind !== 'rule') return 'it holds for every task that begins now';
      if (written) return `it stands in ${plain(written.path)}`;
      return `sessions are told it, and the next cycle of a loop with a workspace writes it into ${plain(change.file)}`;
    },
  },
  whenRebuilt((loop, id, answer) => loop.apply(id, answer)),
);
