import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { START } from './make-outcome.js';

const TASKS = 50;
/** Letters only, so that a miner takes two different ones for two wordings. */
const letters = (number: number) => [...number.toString()].map((digit) => 'abcdefghij'[Number(digit)]).join('');

/** Outcome number `index` of an endless stream: 50 tasks, 20 wordings of failure in each, every fifth outcome failed. */
export function manyPatterns(index: number): Outcome {
  const mixed = Math.imul(index + 1, 0x9e3779b1) >>> 0;
  const task = `task-${mixed % TASKS}`;
  const healthy = {
    id: `${index}` as OutcomeId, // made up here, so no maker brands it
    task,
    atMs: START + index * 500,
    source: `source-${(mixed >>> 8) % 3}`,
    model: `model-${(mixed >>> 10) % 4}`,
    agent: `agent-${(mixed >>> 12) % 3}`,
    session: `session-${Math.floor(index / 40)}`,
    durationMs: 50 + ((mixed >>> 14) % 1_000),
  };
  if ((mixed >>> 4) % 5 !== 0) return { ...healthy, success: true, issues: [] };
  const message = `${letters((mixed >>> 16) % 20)} went wrong after ${mixed % 9_999} ms`;
  return { ...healthy, success: false, issues: ['tool_failure'], error: { message } };
}

/** The same with 100,000 wordings of failure, every second outcome failed. */
export function manyWordings(index: number): Outcome {
  const outcome = manyPatterns(index);
  if (index % 2 === 0) return { ...outcome, success: true, issues: [] };
  const word = letters(Math.imul(index, 0x85ebca6b) >>> 0).slice(-5);
  return { ...outcome, success: false, issues: ['unknown'], error: { message: `module ${word} said ${word}x no` } };
}
