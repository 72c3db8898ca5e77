import { describe, expect, it } from 'vitest';
import { BurstAlarm } from '../../src/analyze/bursts.js';
import { seededRandom } from '../../src/lib/random.js';
import { START } from './make-outcome.js';

const MINUTE = 60_000;
const key = { task: 'api_call', issue: 'timeout', fingerprint: 'f1' };
const alarms = (minutes: readonly number[], alarm = new BurstAlarm()) =>
  minutes.filter((minute) => alarm.add(key, START + minute * MINUTE) !== undefined);

/** Lives four days with a rate, 20 tasks an hour, then four with another one. Returns the task of the first burst that is not news. */
function fourDays(seed: number, rate: number, later?: number): number | undefined {
  const [random, alarm, days] = [seededRandom(seed + 1), new BurstAlarm(), 4 * 24 * 20];
  let failures = 0;
  for (let task = 0; task < (later === undefined ? 1 : 2) * days; task++) {
    alarm.count(key.task);
    if (random() >= (task < days ? rate : (later ?? rate))) continue;
    failures++;
    const burst = alarm.add(key, START + task * 3 * MINUTE);
    if (burst && failures > 3 && task >= (later === undefined ? 0 : days))
      return task - (later === undefined ? 0 : days);
  }
  return undefined;
}

describe('BurstAlarm', () => {
  it('tells the third of the same within a quarter of an hour, once per burst', () => {
    expect(alarms([0, 7, 14, 15, 16, 20])).toEqual([14]);
  });

  it('stays silent when the third comes later', () => {
    expect(alarms([0, 8, 16, 24])).toEqual([]);
  });

  it('tells the next burst at its fourth failure, once per burst', () => {
    const alarm = new BurstAlarm();
    expect(alarms([0, 1, 2], alarm)).toEqual([2]);
    for (let task = 0; task < 1_000; task++) alarm.count('api_call');
    expect(alarms([60, 61, 62, 63, 64], alarm)).toEqual([63]);
  });

  it('tells nothing as long as a failure is as frequent as usual, in at least 97 % of four days', () => {
    let alarmed = 0;
    for (let day = 0; day < 300; day++) if (fourDays(day, [0.05, 0.2, 0.5, 0.8][day % 4] ?? 0)) alarmed++;
    expect(alarmed / 300).toBeLessThanOrEqual(0.03);
  });

  it('tells of five times the odds of a failure within some hours', () => {
    const tasks = Array.from({ length: 40 }, (_, seed) => fourDays(seed, 0.2, 0.56) ?? Number.POSITIVE_INFINITY);
    expect(tasks.sort((a, b) => a - b)[20]).toBeLessThanOrEqual(60);
  });

  it('says what bursts and how often', () => {
    const alarm = new BurstAlarm();
    alarm.add(key, START);
    alarm.add(key, START);
    expect(alarm.add({ ...key, fingerprint: 'other' }, START)).toBeUndefined();
    expect(alarm.add(key, START + 1)).toEqual({ kind: 'burst', ...key, count: 3, atMs: START + 1 });
  });

  it('forgets what has been quiet longest when it watches too much', () => {
    const alarm = new BurstAlarm();
    alarm.add(key, START);
    alarm.add(key, START);
    for (let index = 0; index < 1_000; index++) alarm.add({ ...key, fingerprint: `x${index}` }, START);
    expect(alarm.add(key, START)).toBeUndefined();
  });
});
