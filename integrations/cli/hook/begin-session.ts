import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenTask, RSILoop } from 'rsi-loop';
import { given } from '../../sources/agents/body.js';
import type { AgentEvent } from '../../sources/agents/event.js';
import type { GivenRule } from '../../sources/agents/given-rules.js';
import { SESSION, SESSION_DEADLINE_MS } from '../../sources/agents/outcome.js';
import { mustBeOwnData } from '../store/own-data.js';
import type { BegunSession } from './session-notes.js';

/** Maximum time to open the store. The agent waits for its session to begin, so a slower store gives no advice. */
const LONGEST_MS = 1_500;
const LONGEST_CLOSE_MS = 300;

/**
 * Begins a session as a task of the loop, so that trials of rules include it, and returns its rules. Does nothing if
 * the folder holds no loop yet.
 * @throws Error if the store cannot be read in time; no task was begun then.
 */
export async function beginSession(
  event: AgentEvent,
  store: string,
  source: string,
  atMs: number,
  isWeekly = false,
): Promise<BegunSession & { readonly isFrozen?: boolean; readonly week?: string }> {
  const about = { atMs, ...given({ model: event.model }) };
  if (!existsSync(join(store, 'store.json'))) return { ...about, advice: [] };
  // The store's rules are given to an agent.
  mustBeOwnData(store);
  // Loaded here, because no other hook needs them.
  const [core, { FileStore }, kit] = await Promise.all([
    import('rsi-loop'),
    import('rsi-loop/node'),
    import('rsi-loop/kit'),
  ]);
  const files = new FileStore(store);
  const loop = new core.RSILoop({ store: files });
  // The agent shows what a hook prints; `rsi doctor` shows the loop's problems.
  loop.on('problem', () => {});
  try {
    // The decisions are enough: a session needs no figures.
    await within(LONGEST_MS, kit.followedParts(loop), `the loop in ${store} was not read within ${LONGEST_MS} ms`);
    if (loop.store !== files) throw new Error(`the loop in ${store} cannot be read: run "rsi doctor --store ${store}"`);
    const { session } = event;
    const task = loop.begin(SESSION, {
      session,
      source,
      deadlineMs: SESSION_DEADLINE_MS,
      ...given({ model: event.model }),
    });
    // The Start must be on disk before the agent follows the rules.
    if (task.arms.length > 0) await loop.flush();
    const week = isWeekly ? { week: await weekOf(loop, store, atMs) } : {};
    const rules = await rulesOf(loop, task);
    const begun = { ...about, id: task.id, advice: task.advice, ...(rules.length > 0 && { rules }) };
    return { ...begun, isFrozen: loop.frozen() !== undefined, ...week };
  } finally {
    await within(LONGEST_CLOSE_MS, loop.close(), '').catch(() => undefined);
  }
}

async function rulesOf(loop: RSILoop, task: OpenTask): Promise<readonly GivenRule[]> {
  if (task.arms.length === 0) return [];
  const { givenRules } = await import('../../sources/agents/given-rules.js');
  return givenRules(loop, task);
}

/** Returns the line on the last 7 days. */
async function weekOf(loop: RSILoop, store: string, nowMs: number): Promise<string> {
  const [{ readWeek }, { weekLine }, { readStudies }, { recentlyWorse }] = await Promise.all([
    import('../../reports/week.js'),
    import('../../reports/words/week-line.js'),
    import('../../reports/studies.js'),
    import('../worse/recently-worse.js'),
  ]);
  const studies = await readStudies(store);
  return weekLine(await readWeek(loop, { nowMs, studies, worse: recentlyWorse(store, nowMs) }));
}

function within<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
