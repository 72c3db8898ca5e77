import { fixDecision } from '../store/decide.js';

/** `rsi rollback <id>`: takes a fix back that is on trial or in force. */
export const rollback = fixDecision(
  {
    name: 'rollback',
    summary: 'take back a fix that is on trial or in force',
    description: 'Takes a fix back, whatever was proven: the settings before it hold again for tasks that begin now.',
    next: () => 'the settings before it hold again',
  },
  (loop, id, answer) => loop.rollback(id, answer),
);
