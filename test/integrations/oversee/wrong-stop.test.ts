import { RSILoop } from 'rsi-loop';
import { markWrongStop, ProgressWatch, type Receipt, supervise } from 'rsi-loop/oversee';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchUnder } from '../../../integrations/oversee/watch-settings.js';
import { DEFAULT_POLICY } from '../../../src/contract/policy.js';

function loopWith(options: ConstructorParameters<typeof RSILoop>[0] = {}) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock, random: () => 0.5, ...options });
  onTestFinished(() => loop.close());
  return { clock, loop };
}

/** Runs work that fails call after call, until it is stopped or has made this many calls. */
async function failing(loop: RSILoop, clock: ManualClock, calls: number): Promise<Receipt | undefined> {
  let receipt: Receipt | undefined;
  const guarded = supervise(loop, {
    onStop: (stop) => {
      receipt = stop;
    },
    graceMs: 0,
  });
  const run = guarded('research', async ({ note, signal }) => {
    for (let call = 0; call < calls && !signal.aborted; call++) {
      note({
        tool: `t${call % 7}`,
        input: call,
        error: `error ${'abcdefghijklmnopqrstuvwxyz'[call % 26]}${'xyz'[call % 3]}`,
      });
    }
    signal.throwIfAborted();
  }).catch(() => undefined);
  await clock.advance(10);
  await run;
  return receipt;
}

describe('the numbers of the watch', () => {
  it('are those of the policy, and under the default policy the same as without one', () => {
    const watch = watchUnder(DEFAULT_POLICY, {});
    expect(watch).toEqual({
      silenceMs: 600_000,
      errors: [6, 10, 15, 25],
      nothingNew: [15, 25, 35, 50],
      loop: { observeAt: 3, hintAt: 5, stopAt: 8 },
    });
    expect(watchUnder(DEFAULT_POLICY, { silenceMs: 5 }).silenceMs).toBe(5);
    for (const errors of [8, 31, 200]) {
      const policy = { ...DEFAULT_POLICY, 'watch.errors': errors, 'watch.nothingNew': 16, 'watch.repeats': 5 };
      expect(() => new ProgressWatch(0, watchUnder(policy, {}))).not.toThrow();
    }
  });

  it('decide when a run is stopped', async () => {
    const strict = loopWith();
    expect(await failing(strict.loop, strict.clock, 40)).toMatchObject({ why: 'errors' });
    const patient = loopWith({ policy: { 'watch.errors': 60 } });
    expect(await failing(patient.loop, patient.clock, 40)).toBeUndefined();
  });
});

describe('a stop that a person finds wrong', () => {
  it('is an outcome and a marker, and recurring ones lead to a higher number, which is tried', async () => {
    const { loop, clock } = loopWith();
    for (let run = 0; run < 40; run++) {
      const receipt = await failing(loop, clock, run % 2 === 0 ? 40 : 3);
      if (receipt) await markWrongStop(loop, receipt, { by: 'ada', reason: 'it was exploring' });
      await clock.advance(60_000);
    }
    await loop.runCycle();
    expect(loop.patterns().map(({ issue }) => issue)).toContain('wrong_stop_errors');
    const [fix] = loop.fixes().filter(({ target }) => target.startsWith('watch.'));
    expect(fix).toMatchObject({ change: { set: { 'watch.errors': 38 } }, task: 'research', safe: true });
    expect(fix?.reason).toMatch(/^people found 20 stops for errors wrong: stop at 38 instead of 25/);
    expect(fix?.status).toMatch(/approved|trial/);
    expect(loop.healthHistory().length).toBeGreaterThan(0);
  });

  it('must be a stop of the watch, and needs a person', async () => {
    const { loop } = loopWith();
    const stop = { id: '1', task: 'research', message: 'over' };
    await expect(markWrongStop(loop, { ...stop, why: 'budget' }, { by: 'ada' })).rejects.toThrow('a limit is a limit');
    await expect(markWrongStop(loop, { ...stop, why: 'loop' }, { by: ' ' })).rejects.toThrow('needs a person');
  });
});
