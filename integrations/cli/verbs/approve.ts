import { fixDecision } from '../store/decide.js';
import { plain } from '../terminal/text.js';

/** The verb `rsi approve <id>`: starts the trial of a proposed fix, or keeps one whose trial was inconclusive. */
export const approve = fixDecision(
  {
    name: 'approve',
    summary: 'let a fix begin its trial, or keep one without proof',
    examples: [['approve 1371 --reason "worth a try"', 'the beginning of an id will do']],
    description:
      'Approves a fix. A proposed one is tried on a random part of the work from the next cycle of the loop on, and kept only if it is proven to help. One whose trial could not tell is kept for everybody.',
    follows: ({ status, needs }, loop) => {
      if (status === 'applied-unverified') return 'it holds for every task';
      if (loop.frozen()) return 'its trial begins once the loop is unfrozen';
      return `its trial begins with the next cycle of the loop${needs === undefined ? '' : `; first ${plain(needs)}`}`;
    },
  },
  (loop, id, answer) => loop.approve(id, answer),
);
