import { takenBackWords } from '../fixes/taken-back.js';
import { fixDecision } from '../store/decide.js';

/** The verb `rsi reject <id>`: rejects a proposal, or rolls back a fix whose trial was inconclusive. */
export const reject = fixDecision(
  {
    name: 'reject',
    summary: 'turn a fix down',
    examples: [['reject 1371 --reason "tried before"', 'the reason is remembered']],
    description:
      'Rejects a fix. It is not proposed again for the same failures unless something material changes; the reason is remembered as a lesson.',
    follows: (fix) =>
      fix.status === 'rejected' ? 'it will not be proposed again for the same failures' : takenBackWords(fix),
  },
  (loop, id, { by, reason = 'no reason given' }) => loop.reject(id, { by, reason }),
);
