import { loopDecision } from '../store/decide.js';

/** The verb `rsi unfreeze`: ends a freeze. */
export const unfreeze = loopDecision(
  {
    name: 'unfreeze',
    summary: 'end a freeze',
    examples: [['unfreeze', 'trials may start again']],
    description: 'Ends a freeze. Trials that it took back are proposed again by the loop where their failures go on.',
  },
  async (loop, answer) => {
    if (!loop.frozen()) return 'not frozen: nothing to do';
    await loop.unfreeze(answer);
    return 'unfrozen: trials may start again with the next cycle of the loop';
  },
);
