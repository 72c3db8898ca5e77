import { beforeAll, describe, expect, it } from 'vitest';
import { historyOf, keepHistory, readHistory, replay, spread } from './kept-history.js';
import { STORIES, tell } from './stories.js';

/** `UPDATE_HISTORIES=1 npx vitest run test/scenarios/histories.test.ts` tells the stories anew and keeps them. */
const isUpdate = process.env.UPDATE_HISTORIES === '1';

describe.each(Object.entries(STORIES))('the history of the story "%s"', (name, story) => {
  beforeAll(async () => {
    if (!isUpdate) return;
    const world = await tell(story);
    const history = await historyOf(world.loop, world.clock.now());
    keepHistory(name, history, await replay(history));
    await world.loop.close();
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
