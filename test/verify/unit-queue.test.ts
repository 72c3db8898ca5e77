import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { UnitKind } from '../../src/contract/trial.js';
import type { TrialTask } from '../../src/verify/unit.js';
import { UnitQueue } from '../../src/verify/unit-queue.js';
import { T0, trialOf } from './harness.js';

const HOUR_MS = 3_600_000;
const id = (name: string) => name as OutcomeId; // a brand has no other way to come into being

/** A queue that gets tasks by their names: `a` begins at `seconds` and may run for an hour. */
class Line {
  readonly trial;
  queue: UnitQueue;
  #counter = 0;

  constructor(unit: UnitKind) {
    this.trial = { ...trialOf({ unit }), ...(unit === 'block' && { blockMs: 10_000 }) };
    this.queue = new UnitQueue(this.trial);
  }

  begin(name: string, seconds: number, parts: Partial<TrialTask> = {}) {
    const atMs = T0 + seconds * 1_000;
    return this.queue.begin({
      ...{ id: id(name), atMs, writer: 'w', counter: this.#counter++, deadlineMs: atMs + HOUR_MS },
      ...{ unit: name, arm: 'fix', share: 0.5, ...parts },
    });
  }

  end(name: string, seconds: number, failed = false) {
    return this.queue.end(id(name), { failed, atMs: T0 + seconds * 1_000 });
  }

  /** Returns the keys of the units that ended until then, of the next ones in order, and whether any was due. */
  at(seconds: number) {
    const nowMs = T0 + seconds * 1_000;
    const isDue = this.queue.isDue(nowMs);
    this.queue.number(nowMs);
    const ended = this.queue.ended(nowMs).map(({ key }) => key);
    const next: string[] = [];
    for (let unit = this.queue.next(nowMs); unit; unit = this.queue.next(nowMs)) next.push(unit.key);
    return { ended, next, isDue };
  }

  restart(): void {
    this.queue = new UnitQueue(this.trial, JSON.parse(JSON.stringify(this.queue.snapshot())));
  }
}

describe('single tasks', () => {
  it('come in the order of their starts, once all earlier ones ended', () => {
    const line = new Line('task');
    for (const [name, seconds] of [
      ['b', 2],
      ['a', 1],
      ['c', 3],
    ] as const)
      line.begin(name, seconds);
    line.end('c', 4);
    line.end('b', 5);
    expect(line.at(6)).toEqual({ ended: ['c', 'b'], next: [], isDue: true });
    expect(line.at(7)).toEqual({ ended: [], next: [], isDue: false });
    line.end('a', 8);
    expect(line.at(9)).toEqual({ ended: ['a'], next: ['a', 'b', 'c'], isDue: true });
    expect(line.at(10)).toEqual({ ended: [], next: [], isDue: false });
  });

  it('are reported in the order of their ends, and by name if they ended together', () => {
    const line = new Line('task');
    for (const name of ['d', 'c', 'b', 'a']) line.begin(name, 1);
    for (const name of ['c', 'a', 'd']) line.end(name, 5);
    line.end('b', 4);
    expect(line.at(6).ended).toEqual(['b', 'a', 'c', 'd']);
  });

  it('are reported after a restart, if they ended before it', () => {
    const line = new Line('task');
    for (const [name, seconds] of [
      ['a', 1],
      ['b', 2],
    ] as const)
      line.begin(name, seconds);
    line.at(3);
    line.end('b', 4);
    line.restart();
    expect(line.at(5)).toEqual({ ended: ['b'], next: [], isDue: true });
    line.restart();
    line.end('a', 6);
    expect(line.at(7)).toEqual({ ended: ['a'], next: ['a', 'b'], isDue: true });
    line.restart();
    expect([line.begin('a', 8), line.end('a', 9)]).toEqual(['repeated', 'repeated']);
  });

  it('are waited for until their deadline, and then count as failed: a later end is overdue, once', () => {
    const line = new Line('task');
    line.begin('a', 0);
    line.begin('b', 1);
    line.end('b', 2);
    expect(line.at(3_600).next).toEqual([]);
    expect(line.at(3_601).next).toEqual(['a', 'b']);
    expect([line.end('a', 4_000), line.end('a', 4_000), line.end('never', 1)]).toEqual([
      'overdue',
      'repeated',
      'unknown',
    ]);
  });

  it('end once, and a task that ends after its deadline failed', () => {
    const line = new Line('task');
    line.begin('a', 0);
    line.begin('b', 0);
    expect([line.end('a', 1), line.end('a', 2, true), line.end('b', 3_601)]).toEqual(['taken', 'repeated', 'overdue']);
    line.queue.number(T0 + 4_000_000);
    expect(line.queue.next(T0 + 4_000_000)?.tasks[0]?.end?.failed).toBe(false);
    expect(line.queue.next(T0 + 4_000_000)?.tasks[0]?.end?.failed).toBe(true);
  });

  it('are not bet on if nothing was drawn for them', () => {
    const line = new Line('task');
    for (const share of [0, 1, Number.NaN]) expect(line.begin('a', 1, { share })).toBe('not-bet-on');
    expect(line.begin('a', Number.NaN)).toBe('not-bet-on');
    expect(line.at(9)).toEqual({ ended: [], next: [], isDue: false });
  });

  it('stay in order over many thousands, which the queue does not keep', () => {
    const line = new Line('task');
    const delivered: string[] = [];
    for (let number = 0; number < 5_000; number++) {
      line.begin(`t${number}`, number);
      line.end(`t${number}`, number + 0.5);
      if (number % 700 === 0) delivered.push(...line.at(number + 0.9).next);
    }
    delivered.push(...line.at(5_000).next);
    expect(delivered).toEqual(Array.from({ length: 5_000 }, (_, number) => `t${number}`));
    expect(line.queue.snapshot()).toMatchObject({ arrived: [], units: [], justEnded: [] });
  });
});

describe('blocks', () => {
  it('end when their time is over and their tasks have ended', () => {
    const line = new Line('block');
    line.begin('a', 5, { unit: '0' });
    line.begin('b', 15, { unit: '1' });
    line.end('a', 6);
    expect(line.at(9.9)).toMatchObject({ ended: [], next: [] });
    expect(line.at(10)).toMatchObject({ ended: ['0'], next: ['0'] });
    expect(line.at(25)).toMatchObject({ ended: [], next: [] });
    line.end('b', 26);
    expect(line.at(27)).toMatchObject({ ended: ['1'], next: ['1'] });
  });

  it('take no task after they were counted, over a restart too', () => {
    const line = new Line('block');
    line.begin('a', 5, { unit: '0' });
    line.end('a', 6);
    line.at(10);
    line.restart();
    expect(line.begin('late', 7, { unit: '0' })).toBe('late');
  });

  it('leave out their first part, and tasks of another time', () => {
    const line = new Line('block');
    expect(line.begin('a', 10, { unit: '1' })).toBe('not-bet-on');
    expect(line.begin('b', 35, { unit: '1' })).toBe('not-bet-on');
    expect(line.begin('c', 15, { unit: '1' })).toBe('taken');
  });

  it('carry no information if the share changed within them', () => {
    const line = new Line('block');
    line.begin('a', 5, { unit: '0' });
    line.begin('b', 6, { unit: '0' });
    line.begin('c', 15, { unit: '1' });
    line.begin('d', 16, { unit: '1', share: 0.9 });
    for (const name of ['a', 'b', 'c', 'd']) line.end(name, 17);
    line.queue.number(T0 + 30_000);
    const mixed = [1, 2].map(() => line.queue.next(T0 + 30_000)?.mixed);
    expect(mixed).toEqual([false, true]);
  });
});

describe('sessions', () => {
  const ofSession = { unit: 's' };

  it('end when they are reported as over and their tasks have ended', () => {
    const line = new Line('session');
    line.begin('a', 0, ofSession);
    line.queue.endSession('s', T0 + 5_000);
    expect(line.at(6).next).toEqual([]);
    line.end('a', 4);
    expect(line.at(7)).toEqual({ ended: ['s'], next: ['s'], isDue: true });
  });

  it('end 24 hours after they began if nothing reports it, or if they continued after that report', () => {
    for (const closedAfter of [undefined, 5]) {
      const line = new Line('session');
      line.begin('a', 0, ofSession);
      if (closedAfter !== undefined) line.queue.endSession('s', T0 + closedAfter * 1_000);
      line.end('a', 9);
      expect(line.at(86_400).next).toEqual([]);
      line.restart();
      expect(line.at(86_401).next).toEqual(['s']);
    }
  });

  it('count tasks without a start, in the arm of the session', () => {
    const line = new Line('session');
    const ended = { failed: true, atMs: T0 + 3_000, durationMs: 1_000 };
    line.queue.endInSession('s', id('early'), ended);
    line.begin('a', 1, { ...ofSession, arm: 'control', share: 0.3 });
    line.queue.endInSession('s', id('b'), ended);
    line.queue.endInSession('s', id('b'), ended);
    line.restart();
    line.queue.endInSession('s', id('c'), ended);
    line.end('a', 2);
    line.queue.endSession('s', T0 + 9_000);
    line.queue.number(T0 + 10_000);
    const unit = line.queue.next(T0 + 10_000);
    expect(unit).toMatchObject({ key: 's', arm: 'control', share: 0.3, mixed: false });
    expect(unit?.tasks.map((task) => [task.id, task.atMs - T0])).toEqual([
      ['a', 1_000],
      ['b', 2_000],
      ['c', 2_000],
    ]);
  });

  it('leave out tasks that begin after their window', () => {
    const line = new Line('session');
    line.begin('a', 0, ofSession);
    line.begin('b', 86_401, ofSession);
    line.end('a', 1);
    const { next } = line.at(86_402);
    expect(next).toEqual(['s']);
    expect(line.begin('c', 86_403, ofSession)).toBe('not-bet-on');
    expect(line.begin('d', 5, ofSession)).toBe('late');
  });
});
