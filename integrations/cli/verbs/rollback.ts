import { takenBackWords } from '../fixes/taken-back.js';
import { fixDecision } from '../store/decide.js';

/** The verb `rsi rollback <id>`: rolls back a fix that is on trial or in force. */
export const rollback = fixDecision(
  {
    name: 'rollback',
    summary: 'take back a fix that is on trial or in force',
    examples: [['rollback 1371', 'the settings before it hold again']],
    description: 'Takes a fix back, whatever was proven: the settings before it hold again for tasks that begin now.',
    files: true,
    follows: takenBackWords,
  },
  (loop, id, answer) => loop.rollback(id, answer),
);
