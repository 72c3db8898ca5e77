import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Arm } from '../../src/contract/start.js';
import { levelOf, levelShare } from '../../src/verify/assign.js';
import { OtherTasks } from '../../src/verify/other-tasks.js';
import { RunningTrial } from '../../src/verify/trial.js';
import { T0, trialOf } from './harness.js';
import { evenly, HOLDOUT } from './lab.js';

const TASKS = 20;

/** Trial of a shared resource, block by block. */
class Blocks {
  running = new RunningTrial(trialOf({ unit: 'block' }), new OtherTasks());
  /** How long a task is open. */
  openMs = 1;
  #block = 0;

  get nowMs(): number {
    return this.#startOf(this.#block);
  }

  /** Share that the next block is drawn at. */
  get share(): number {
    const { trial } = this.running;
    const level = trial.phase === 'ramp' ? levelOf(trial, this.#block) : undefined;
    return level === undefined ? 0.5 : levelShare(trial, level);
  }

  /** Adds a block with 20 tasks, none of them in its first part, which does not count. */
  add(arm: Arm, failures: number): void {
    const { share } = this;
    const block = this.#block++;
    for (let task = 0; task < TASKS; task++) {
      const id = `b${block}-${task}` as OutcomeId; // a brand has no other way to come into being
      const atMs = Math.ceil(this.#startOf(block + 0.5 + (0.4 * task) / TASKS));
      const unit = String(block);
      const { queue } = this.running;
      queue.begin({ id, atMs, writer: 'w', counter: task, deadlineMs: atMs + 1_000, unit, arm, share });
      queue.end(id, { failed: task < failures, atMs: atMs + this.openMs });
    }
  }

  advance(): RunningTrial['ruling'] {
    this.running.advance(this.nowMs, this.nowMs, HOLDOUT);
    return this.running.ruling;
  }

  /** Goes on in the next phase. */
  follow(): void {
    const next = this.running.nextTrial(HOLDOUT);
    if (next) this.running.follow(next);
  }

  restart(): void {
    const { trial } = this.running;
    const snapshot = JSON.parse(JSON.stringify(this.running.snapshot()));
    this.running = new RunningTrial(trial, new OtherTasks(), snapshot);
  }

  #startOf(block: number): number {
    return T0 + block * (this.running.trial.blockMs ?? 1);
  }
}

/** Blocks of a fix that helps, in its ramp. */
function ramping(): Blocks {
  const blocks = new Blocks();
  for (let index = 0; index < 120 && blocks.advance() === undefined; index++) {
    const arm = evenly(index);
    blocks.add(arm, arm === 'fix' ? 0 : 12);
  }
  expect(blocks.running.ruling?.kind).toBe('ramp');
  blocks.follow();
  return blocks;
}

/** Adds blocks until the ramp ends, and returns how. A restart follows each block if `restarts` says so. */
function ends(blocks: Blocks, failuresAt: (share: number) => number, restarts = false) {
  for (let index = 0; index < 90 && blocks.advance() === undefined; index++) {
    blocks.add('fix', failuresAt(blocks.share));
    if (restarts) blocks.restart();
  }
  return blocks.running.ruling;
}

describe('a fix for a shared resource', () => {
  it('is confirmed after a ramp in which failures do not rise with its share', () => {
    const blocks = ramping();
    const ruling = ends(blocks, () => 2);
    expect(ruling).toEqual({ kind: 'confirmed', atMs: blocks.nowMs });
    blocks.follow();
    expect(blocks.running.trial).toMatchObject({ phase: 'holdout', share: 0.9 });
    expect(blocks.running.figures()).not.toHaveProperty('eInterference');
  });

  it('fails for interference if failures rise with its share, also across restarts', () => {
    const failuresAt = (share: number) => (share > 0.5 ? 15 : 3);
    const straight = ends(ramping(), failuresAt);
    expect(straight).toMatchObject({ kind: 'failed', why: 'interference' });
    expect(ends(ramping(), failuresAt, true)).toEqual(straight);
  });

  it('is not bet on by single tasks: a bad block is one piece of evidence', () => {
    const blocks = new Blocks();
    for (let index = 0; index < 4; index++) blocks.add(evenly(index), evenly(index) === 'fix' ? 0 : TASKS);
    blocks.advance();
    const { eHelp, fix } = blocks.running.figures();
    expect(fix).toEqual({ units: 2, tasks: 2 * TASKS, failures: 0 });
    expect(eHelp).toBeLessThanOrEqual(2 ** 4);
  });
});

describe('blocks in which tasks of the fix stay open for long', () => {
  const longOpen = () => {
    const blocks = new Blocks();
    blocks.openMs = (blocks.running.trial.blockMs ?? 1) / 8;
    for (let block = 0; block < 40 && !blocks.advance(); block++) blocks.add(evenly(block), block % 2 === 0 ? 0 : 6);
    return blocks;
  };

  it('are not believed: the trial begins again with blocks ten times as long as its tasks are open', () => {
    const blocks = longOpen();
    const { blockMs = 0 } = blocks.running.trial;
    expect(blocks.running.ruling).toMatchObject({ kind: 'lengthen' });
    const before = blocks.running.figures();
    expect(before.fix.units + before.control.units).toBeLessThan(6);
    const next = blocks.running.nextTrial(HOLDOUT);
    expect(next?.blockMs).toBeGreaterThanOrEqual(10 * blocks.openMs);
    expect(next).toMatchObject({ phase: 'running', blocksSinceMs: blocks.running.ruling?.atMs });
    expect(blockMs).toBeLessThan(10 * blocks.openMs);
    blocks.follow();
    expect(blocks.running.ruling).toBeUndefined();
    expect(blocks.running.figures()).toMatchObject({ fix: { units: 0 }, control: { units: 0 } });
    expect(blocks.running.figures().needed).toBeGreaterThanOrEqual(before.needed);
  });

  it('count only from the first whole block of the new length on', () => {
    const blocks = longOpen();
    blocks.follow();
    const { trial, queue } = blocks.running;
    const { blockMs = 1, blocksSinceMs = 0, openedMs } = trial;
    const during = Math.floor((blocksSinceMs - openedMs) / blockMs);
    const begin = (block: number) => {
      const atMs = openedMs + (block + 0.5) * blockMs;
      const id = `n${block}` as OutcomeId; // as above
      const about = { deadlineMs: atMs + 1_000, unit: String(block), arm: 'fix', share: 0.5 } as const;
      return queue.begin({ id, atMs, writer: 'w', counter: block, ...about });
    };
    expect([begin(during), begin(during + 1)]).toEqual(['not-bet-on', 'taken']);
  });

  it('stay as they are where tasks end soon', () => {
    const blocks = new Blocks();
    for (let block = 0; block < 40 && !blocks.advance(); block++) blocks.add(evenly(block), block % 2 === 0 ? 0 : 6);
    expect(blocks.running.ruling).toMatchObject({ kind: 'ramp' });
  });
});
