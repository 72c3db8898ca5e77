import { takenBackWords } from '../fixes/taken-back.js';
import { fixDecision } from '../store/decide.js';

/** The verb `rsi refuse <id>`: rejects a proposal, or rolls back a fix whose trial was inconclusive. */
export const refuse = fixDecision(
  {
    name: 'refuse',
    summary: 'turn a fix down',
    examples: [['refuse 1371 --reason "tried before"', 'the reason is remembered']],
    description:
      'Refuses a fix. It is not proposed again for the same failures unless something material changes; the reason is remembered as a lesson.',
    follows: (fix) =>
      fix.status === 'refused' ? 'it will not be proposed again for the same failures' : takenBackWords(fix),
  },
  (loop, id, { by, reason = 'no reason given' }) => loop.refuse(id, { by, reason }),
);
