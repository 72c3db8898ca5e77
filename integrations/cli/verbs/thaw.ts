import { loopDecision } from '../store/decide.js';

/** The verb `rsi thaw`: ends a freeze. */
export const thaw = loopDecision(
  {
    name: 'thaw',
    summary: 'end a freeze',
    examples: [['thaw', 'trials may start again']],
    description: 'Ends a freeze. Trials that it took back are proposed again by the loop where their failures go on.',
  },
  async (loop, answer) => {
    if (!loop.frozen()) return 'not frozen: nothing to do';
    await loop.thaw(answer);
    return 'thawed: trials may start again with the next cycle of the loop';
  },
);
