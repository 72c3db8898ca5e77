import { FileStore } from 'rsi-loop/node';
import { networkError, type Weather, World } from '../../scenarios/world.js';

/** Texts of a log that act on the terminal of a reader. */
export const EVIL = 'pay\u001b[2J\u001b]0;owned\u0007\u202eload';

/**
 * A folder as a loop leaves it after a day: a confirmed fix of `api_call`, a fix of `search` on trial, a proposal for a
 * task whose outcomes are only recorded and whose texts are hostile.
 */
export async function scriptFolder(folder: string): Promise<void> {
  const world = new World({ store: new FileStore(folder) }, { startMs: Date.now() - 20 * 3_600_000 });
  // Chance decides nothing but the arms: a second attempt always helps, so that no second fix is needed.
  const flaky: Weather = ({ number, task }) => (number === 1 && task % 5 === 0 ? networkError() : undefined);
  await world.work(700, flaky);
  for (let call = 0; call < 60; call++) {
    const error = { name: 'TypeError', message: `socket hang up ${EVIL}`, code: 'ECONNRESET' };
    world.loop.observer.recordSimple(EVIL, call % 4 === 0 ? { success: false, error } : { success: true });
    await world.clock.advance(10_000);
  }
  // Few tasks, so that chance cannot end the trial.
  await world.work(44, flaky, { task: 'search', cycleEvery: 22 });
  await world.loop.close();
}

/** A folder in which nothing is tried without asking: one proposal for `api_call` waits. */
export async function scriptWaiting(folder: string): Promise<void> {
  const world = new World({ store: new FileStore(folder), autoFix: false }, { startMs: Date.now() - 4 * 3_600_000 });
  await world.work(200, () => (world.happens(0.2) ? networkError() : undefined));
  await world.loop.close();
}
