import { fixDecision } from '../store/decide.js';
import { plain } from '../terminal/text.js';

/** `rsi rollback <id>`: takes a fix back that is on trial or in force. */
export const rollback = fixDecision(
  {
    name: 'rollback',
    summary: 'take back a fix that is on trial or in force',
    description: 'Takes a fix back, whatever was proven: the settings before it hold again for tasks that begin now.',
    files: true,
    next: ({ change, written }) => {
      if (change.kind !== 'rule') return 'the settings before it hold again';
      return written
        ? `the next cycle of the loop takes it out of ${plain(written.path)}`
        : 'no session is told it any more';
    },
  },
  (loop, id, answer) => loop.rollback(id, answer),
);
