import { mustBe, showValue } from 'rsi-loop/kit';
import { FileLog } from 'rsi-loop/node';
import type { SkillLogs } from './context.js';
import type { LearningStep } from './learning-step.js';
import type { MemoryStep } from './memory.js';
import type { MutationStep } from './mutation.js';

/** Opens the logs of a folder of skills, below `.rsi/log`. */
export function fileLogs(folder: string): SkillLogs {
  mustBe(typeof folder === 'string', 'folder', showValue(folder), 'a path as text');
  const place = `${folder}/.rsi/log`;
  const learning = new FileLog<LearningStep>(place, 'learn');
  const mutations = new FileLog<MutationStep>(place, 'mutate');
  const memory = new FileLog<MemoryStep>(place, 'memory');
  const close = async () => {
    for (const log of [learning, mutations, memory]) await log.close();
  };
  return { learning, mutations, memory, close };
}
