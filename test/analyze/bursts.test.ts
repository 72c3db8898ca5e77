import { describe, expect, it } from 'vitest';
import { BurstAlarm } from '../../src/analyze/bursts.js';
import { START } from './make-outcome.js';

const MINUTE = 60_000;
const key = { task: 'api_call', issue: 'timeout', fingerprint: 'f1' };
const alarms = (minutes: readonly number[], alarm = new BurstAlarm()) =>
  minutes.filter((minute) => alarm.add(key, START + minute * MINUTE) !== undefined);

describe('BurstAlarm', () => {
  it('tells the third of the same within a quarter of an hour, once per burst', () => {
    expect(alarms([0, 7, 14, 15, 16, 20])).toEqual([14]);
  });

  it('stays silent when the third comes later', () => {
    expect(alarms([0, 8, 16, 24])).toEqual([]);
  });

  it('tells the next burst after a quarter of an hour of silence', () => {
    expect(alarms([0, 1, 2, 60, 61, 62])).toEqual([2, 62]);
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
