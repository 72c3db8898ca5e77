import { beforeAll, describe, expect, it } from 'vitest';
import { historyOf, type KeptHistory, keepHistory, readHistory, replay, spread } from './kept-history.js';
import { STORIES, tell } from './stories.js';

/**
 * `UPDATE_HISTORIES=known npx vitest run test/scenarios/histories.test.ts` keeps what the kept logs mean now;
 * `UPDATE_HISTORIES=logs` tells the stories again and keeps their logs as well.
 */
const update = process.env.UPDATE_HISTORIES;

describe.each(Object.entries(STORIES))('the history of the story "%s"', (name, story) => {
  beforeAll(async () => {
    if (update === undefined) return;
    const history = update === 'logs' ? await logsOf(story) : readHistory(name).history;
    keepHistory(name, history, await replay(history));
  });

  it('gives the same patterns, fixes and figures whenever it is replayed', async () => {
    const { history, known } = readHistory(name);
    expect(history.journal.length).toBeGreaterThan(90);
    expect(JSON.parse(JSON.stringify(await replay(history)))).toEqual(known);
  });

  it('gives the same bytes from eight writers as from one', async () => {
    const { history } = readHistory(name);
    const fromEight = spread(history, 8);
    expect(new Set(fromEight.journal.map(({ writer }) => writer)).size).toBe(8);
    expect(JSON.stringify(await replay(fromEight))).toBe(JSON.stringify(await replay(history)));
  });
});

/** Runs a story and returns the logs it left. */
async function logsOf(story: Parameters<typeof tell>[0]): Promise<KeptHistory> {
  const world = await tell(story);
  const history = await historyOf(world.loop, world.clock.now());
  await world.loop.close();
  return history;
}
