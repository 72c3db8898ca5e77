import { fixDecision } from '../store/decide.js';

/** `rsi refuse <id>`: turns a proposal down, or takes back a fix that could not be proven. */
export const refuse = fixDecision(
  {
    name: 'refuse',
    summary: 'turn a proposal down, or take back a fix that could not be proven',
    description:
      'Refuses a fix. It is not proposed again for the same failures unless something material changes; the reason is remembered as a lesson.',
    next: ({ status }) =>
      status === 'refused'
        ? 'it will not be proposed again for the same failures'
        : 'the settings before it hold again',
  },
  (loop, id, { by, reason = 'no reason given' }) => loop.refuse(id, { by, reason }),
);
