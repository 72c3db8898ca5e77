import type { JsonObject, Lesson } from 'rsi-loop';
import { expect, it } from 'vitest';
import { TrackRecord } from '../../src/experience/track-record.js';
import { seededRandom } from '../../src/lib/random.js';

const KINDS: readonly JsonObject[] = [{ first: 1 }, { second: 1 }, { third: 1 }];

/** How many candidates are tried until one helps, pattern after pattern, with these chances to help. */
function lives(chances: readonly number[], record: TrackRecord | undefined): number {
  const random = seededRandom(3);
  let tried = 0;
  for (let pattern = 0; pattern < 400; pattern++) {
    const about = { issue: 'network', seed: `pattern ${pattern}` };
    for (const set of record?.order(about, KINDS, (one) => one) ?? KINDS) {
      tried++;
      const helps = random() < (chances[KINDS.indexOf(set)] ?? 0);
      record?.learn({ issue: 'network', set, result: helps ? 'helped' : 'no-effect' });
      if (helps) break;
    }
  }
  return tried / 400;
}

it('tries the kind of change that mostly helped first, wherever it comes in the catalog', () => {
  const worstFirst = [0.05, 0.2, 0.6];
  expect(lives(worstFirst, undefined)).toBeGreaterThan(2.5);
  expect(lives(worstFirst, new TrackRecord())).toBeLessThan(1.9);
});

it('loses nothing where the catalog has the right order, and goes on where the first kind stops helping', () => {
  const bestFirst = [0.6, 0.2, 0.05];
  expect(lives(bestFirst, new TrackRecord())).toBeLessThan(lives(bestFirst, undefined) * 1.05);
  const record = new TrackRecord();
  const learn = (set: JsonObject, result: Lesson['result'], times: number) => {
    for (let time = 0; time < times; time++) record.learn({ issue: 'network', set, result });
  };
  learn({ first: 1 }, 'helped', 5);
  learn({ first: 2 }, 'no-effect', 60);
  learn({ second: 1 }, 'helped', 3);
  const firsts = Array.from({ length: 100 }, (_, seed) =>
    record.order({ issue: 'network', seed: `${seed}` }, KINDS, (one) => one).indexOf(KINDS[1] ?? {}),
  );
  expect(firsts.filter((place) => place === 0).length).toBeGreaterThan(70);
});

it('keeps the given order for issues it knows nothing of, and draws the same again', () => {
  const record = new TrackRecord();
  record.learn({ issue: 'network', set: { third: 1 }, result: 'helped' });
  record.learn({ issue: 'timeout', set: { third: 1 }, result: 'rejected' });
  expect(record.order({ issue: 'timeout', seed: 'a' }, KINDS, (one) => one)).toEqual(KINDS);
  const draw = () => record.order({ issue: 'network', seed: 'a' }, KINDS, (one) => one);
  expect(draw()).toEqual(draw());
});
