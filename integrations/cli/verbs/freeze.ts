import { loopDecision } from '../store/decide.js';
import { counted } from '../terminal/numbers.js';

/** The verb `rsi freeze`: the kill switch. */
export const freeze = loopDecision(
  {
    name: 'freeze',
    summary: 'take every running trial back and start no other',
    examples: [['freeze --reason "release today"', 'no trials until unfreeze']],
    description:
      'Takes every running trial back and starts no other until rsi unfreeze. Confirmed fixes stay. Processes that run tasks notice within a second or so.',
  },
  async (loop, answer, next) => {
    const running = loop.fixes({ status: 'trial' }).length;
    await loop.freeze(answer);
    const taken = `${counted(running, 'running trial')} ${running === 1 ? 'was' : 'were'} taken back`;
    return `frozen: ${running === 0 ? 'no trial was running' : taken}, none starts until ${next('unfreeze')}`;
  },
);
