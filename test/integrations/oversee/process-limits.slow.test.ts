import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { exportOutcomes, type Outcome, RSILoop } from 'rsi-loop';
import { type LeftProcesses, type Receipt, type Supervised, type SuperviseOptions, supervise } from 'rsi-loop/oversee';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GREEDY, lives } from './runaways.js';

function supervisor(options: SuperviseOptions) {
  const loop = new RSILoop();
  // The timers of a run do not keep a process alive.
  const alive = setInterval(() => undefined, 1_000);
  onTestFinished(() => {
    clearInterval(alive);
    return loop.close();
  });
  const receipts: Receipt[] = [];
  const left: LeftProcesses[] = [];
  const guarded = supervise(loop, {
    ...options,
    onStop: (receipt) => receipts.push(receipt),
    onLeft: (processes) => left.push(processes),
  });
  return { loop, guarded, receipts, left };
}

const shell = ({ spawn }: Supervised, script: string) => spawn('/bin/sh', ['-c', script], { stdio: 'ignore' });
/** Name of a `sleep`, also before the shell has become it. */
const SLEEP = expect.stringMatching(/^(?:sleep|sh) \(\d+\)$/);
const ended = (child: ReturnType<Supervised['spawn']>) => once(child, 'exit');

describe.runIf(process.platform === 'linux')('the processes of a run', () => {
  it('are ended with a receipt when they use too much memory together, also those of children', async () => {
    const { guarded, receipts } = supervisor({ budget: { memoryMb: 300 }, graceMs: 20_000 });
    const started: ReturnType<Supervised['spawn']>[] = [];
    await guarded('eat', ({ child }) =>
      child('part', (part) => {
        started.push(part.spawn(process.execPath, ['-e', GREEDY], { stdio: 'ignore' }));
        return Promise.all(started.map(ended));
      }),
    );
    const message = expect.stringMatching(/^its processes use \d+ of 300 MiB: node$/);
    expect(receipts.find(({ task }) => task === 'eat')).toMatchObject({ why: 'memory', message, hasEnded: true });
    await expect.poll(() => started.filter(lives)).toEqual([]);
  });

  it('are ended with a receipt when they are too many', async () => {
    const { guarded, receipts } = supervisor({ budget: { processes: 5 }, graceMs: 20_000 });
    await guarded('fork', (own) => ended(shell(own, 'for i in 1 2 3 4 5 6 7 8 9; do sleep 300 & done; wait')));
    const message = expect.stringMatching(/^\d+ processes run, and 5 are allowed: .*s/);
    expect(receipts).toMatchObject([{ why: 'processes', message, running: ['/bin/sh'] }]);
  });

  it('are not started again more often than allowed', async () => {
    const { guarded, receipts } = supervisor({ budget: { restarts: 2 } });
    let starts = 0;
    const run = guarded('crash', async (own) => {
      for (;;) {
        const child = shell(own, 'exit 1');
        starts++;
        await ended(child);
        await ended(shell(own, `exit ${100 + starts}`));
      }
    });
    await expect(run).rejects.toThrow('/bin/sh was started 3 times, and 2 restarts are allowed');
    expect(starts).toBe(3);
    expect(receipts).toMatchObject([{ why: 'restarts' }]);
  });

  it('that go on after the command that started them are named and killed, and the outcome says so', async () => {
    const { loop, guarded, left } = supervisor({ graceMs: 100 });
    let leader: ReturnType<Supervised['spawn']> | undefined;
    const result = await guarded('leave', async (own) => {
      leader = shell(own, 'sleep 300 & sleep 301 & exit 0');
      const [code] = await ended(leader);
      return code;
    });
    expect(result).toBe(0);
    expect(left).toEqual([{ command: '/bin/sh', processes: [SLEEP, SLEEP] }]);
    await expect.poll(() => leader && lives(leader)).toBe(false);
    const outcomes: Outcome[] = [];
    for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
    expect(outcomes).toMatchObject([{ success: true, context: { leftProcesses: 2 } }]);
  });

  it('that go on for a moment only are waited for, and are not reported', async () => {
    const { guarded, left } = supervisor({ graceMs: 20_000 });
    let leader: ReturnType<Supervised['spawn']> | undefined;
    await guarded('end', async (own) => {
      leader = shell(own, 'sleep 0.2 & exit 0');
      await ended(leader);
    });
    expect(leader && lives(leader)).toBe(false);
    expect(left).toEqual([]);
  });

  it('go on after a kill of their leader no longer than the grace time', async () => {
    const { guarded, left } = supervisor({ graceMs: 100 });
    const signal = await guarded('kill', async (own) => {
      const leader = shell(own, 'sleep 300 & wait');
      // The shell has begun its child when that one can be seen.
      const children = `/proc/${leader.pid}/task/${leader.pid}/children`;
      await expect.poll(() => existsSync(children) && readFileSync(children, 'utf8')).toMatch(/\d/);
      leader.kill('SIGKILL');
      return (await ended(leader))[1];
    });
    expect(signal).toBe('SIGKILL');
    expect(left).toMatchObject([{ processes: [SLEEP] }]);
  });

  it('that go on after a command that failed are named too', async () => {
    const { guarded, left } = supervisor({ graceMs: 100 });
    const run = guarded('fail', async (own) => {
      await ended(shell(own, 'sleep 300 & exit 3'));
      throw new Error('exit code 3');
    });
    await expect(run).rejects.toThrow('exit code 3');
    expect(left).toMatchObject([{ processes: [SLEEP] }]);
  });

  it('are ended by a stop also if they left the group of their leader', async () => {
    const { guarded, receipts } = supervisor({ budget: { processes: 2 }, graceMs: 20_000 });
    await guarded('hide', (own) => ended(shell(own, 'setsid sleep 302 & setsid sleep 303 & wait')));
    expect(receipts).toMatchObject([{ why: 'processes', message: expect.stringContaining('3 processes run') }]);
    await expect
      .poll(() => execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' }))
      .not.toMatch(/^[^Z]\S* +sleep 30[23]$/m);
  });
});

describe('limits of processes', () => {
  it.each<[SuperviseOptions['budget'], string]>([
    [{ memoryMb: 0 }, 'budget.memoryMb is 0: give MiB above 0'],
    [{ processes: 1.5 }, 'budget.processes is 1.5: give a whole number from 1'],
    [{ restarts: -1 }, 'budget.restarts is -1: give a whole number from 0'],
    [{ depth: Number.NaN }, 'budget.depth is NaN: give a whole number from 0'],
  ])('name a value that is out of range: %o', (budget, message) => {
    expect(() => supervise(new RSILoop(), { budget: budget ?? {} })).toThrow(message);
  });
});
