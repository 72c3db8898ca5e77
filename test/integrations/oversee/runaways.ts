import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { StopReason, Supervised, SuperviseOptions } from '../../../integrations/oversee/index.js';

/** Limits of a runaway, unless it has its own: 0.3 s, and 0.3 s to end. */
export const LIMIT: SuperviseOptions = { budget: { minutes: 0.005 }, graceMs: 300, watch: { silenceMs: 60_000 } };
const SHELL = ['/bin/sh', '-c'] as const;

/** Work that never ends in its own way. */
export interface Runaway {
  readonly name: string;
  readonly why: StopReason;
  readonly options?: SuperviseOptions;
  readonly work: (run: Supervised, started: (child: ChildProcess) => ChildProcess) => unknown;
}

/** Program that takes 20 MiB every 5 ms. */
export const GREEDY = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20 * 2 ** 20, 1)), 5);';
const never = () => new Promise<never>(() => {});
const tick = () => new Promise<void>((done) => setImmediate(done));
const closed = (child: ChildProcess) => new Promise<void>((done) => child.on('exit', () => done()));
const shell = (run: Supervised, script: string) => run.spawn(SHELL[0], [SHELL[1], script], { stdio: 'ignore' });

/** Runs calls until the run is stopped, without a look at its signal. */
async function forever(call: (index: number) => unknown): Promise<never> {
  for (let index = 0; ; index++) {
    await tick();
    await call(index);
  }
}

/** Ways to ask one question, 1,296 of them. */
export function rephrased(at: number): string {
  const parts = [
    ['where is', 'find', 'locate', 'show me', 'which place has', 'look up'],
    ['the price', 'the cost', 'what one pays', 'the amount', 'the fee', 'the charge'],
    ['of the ticket', 'for a ticket', 'of an entry', 'for one visitor', 'per person', 'of admission'],
    ['please', 'now', 'again', 'in the catalogue', 'on the page', 'in the list'],
  ];
  const chosen = parts.map((ways, index) => ways[Math.floor(at * (1.7 + index * 0.9)) % ways.length]);
  return at % 2 === 0 ? chosen.join(' ') : chosen.toReversed().join(' ');
}

export const RUNAWAYS: readonly Runaway[] = [
  { name: 'is silent', why: 'silence', options: { watch: { silenceMs: 200 } }, work: never },
  { name: 'ignores its signal', why: 'time', work: never },
  { name: 'catches every error', why: 'time', work: (run) => forever(() => run.signal.throwIfAborted).catch(never) },
  {
    name: 'makes one call again and again',
    why: 'loop',
    work: ({ note }) => forever(() => note({ tool: 'read', input: 1, result: 'same' })),
  },
  {
    name: 'makes two calls in turn',
    why: 'loop',
    work: ({ note }) => forever((at) => note({ tool: 'read', input: at % 2, result: at % 2 })),
  },
  {
    name: 'gets the same error from different calls',
    why: 'loop',
    work: ({ note }) => forever((at) => note({ tool: 'read', input: at, error: 'no such file' })),
  },
  {
    name: 'fails in a different way each time',
    why: 'errors',
    work: ({ note }) =>
      forever((at) => note({ tool: `tool ${at}`, input: at, error: `error ${'abcdefgh'[at % 8]}${at}` })),
  },
  {
    name: 'learns nothing new',
    why: 'nothing-new',
    work: ({ note }) => forever((at) => note({ tool: 'search', input: at, result: 'nothing' })),
  },
  {
    name: 'asks one question in many ways',
    why: 'nothing-new',
    work: ({ note }) => forever((at) => note({ tool: 'search', input: rephrased(at), result: 'no document matches' })),
  },
  {
    name: 'goes between two states, with a counter',
    why: 'nothing-new',
    work: ({ note }) =>
      forever((at) => note({ tool: 'click', input: { step: at }, result: `page ${'ab'[at % 2]}, visit ${at}` })),
  },
  {
    name: 'gets ok for each number',
    why: 'nothing-new',
    work: ({ note }) => forever((at) => note({ tool: 'update', input: { row: at }, result: 'ok' })),
  },
  {
    name: 'chats without an end',
    why: 'budget',
    options: { budget: { calls: 20 } },
    work: ({ spend }) => forever(() => spend({}, () => 'word')),
  },
  {
    name: 'spends',
    why: 'budget',
    options: { budget: { usd: 1 } },
    work: ({ spend }) => forever(() => spend({ usd: 0.3 }, () => 'word')),
  },
  {
    name: 'spends in spite of refusals',
    why: 'budget',
    options: { budget: { usd: 1 } },
    work: async ({ spend }) => {
      // No pause at all: it would block the process if refusals did not wait for other work.
      for (;;) await spend({ usd: 0.3 }, () => 'word').catch(() => undefined);
    },
  },
  {
    name: 'grows its context',
    why: 'budget',
    options: { budget: { tokens: 10_000 } },
    work: ({ spend }) => forever((at) => spend({ tokens: 100 * at }, () => 'word')),
  },
  {
    name: 'starts children without an end',
    why: 'budget',
    options: { budget: { calls: 30 } },
    work: (run) => {
      const grow = async (one: Supervised): Promise<unknown> => {
        await one.spend({}, tick);
        return Promise.all([one.child('part', grow), one.child('part', grow)]);
      };
      return grow(run);
    },
  },
  {
    name: 'has children that wait for each other',
    why: 'time',
    work: ({ child }) => {
      const waits: Promise<unknown>[] = [];
      const one = child('one', async () => {
        await tick();
        return waits[1];
      });
      waits.push(
        one,
        child('two', () => one),
      );
      return Promise.all(waits);
    },
  },
  {
    name: 'waits for input',
    why: 'time',
    work: (run, started) => closed(started(run.spawn('cat', [], { stdio: ['pipe', 'ignore', 'ignore'] }))),
  },
  {
    name: 'has a process that ignores SIGTERM',
    why: 'time',
    work: (run, started) => closed(started(shell(run, 'trap "" TERM; while :; do sleep 1; done'))),
  },
  {
    name: 'forks',
    why: 'time',
    work: (run, started) => closed(started(shell(run, 'for i in 1 2 3 4 5; do sleep 300 & done; wait'))),
  },
  {
    name: 'leaves background processes',
    why: 'time',
    work: (run, started) => closed(started(shell(run, 'sleep 300 & exit 0'))).then(never),
  },
  {
    name: 'restarts its process',
    why: 'time',
    work: (run, started) => forever(() => closed(started(shell(run, 'exit 1')))),
  },
  {
    name: 'restarts its process more often than allowed',
    why: 'restarts',
    options: { budget: { restarts: 5 } },
    work: (run, started) => forever(() => closed(started(shell(run, 'exit 1')))),
  },
  {
    name: 'forks more processes than allowed',
    why: 'processes',
    options: { budget: { processes: 10 } },
    work: (run, started) => closed(started(shell(run, 'while :; do sleep 300 & sleep 0.01; done'))),
  },
  {
    name: 'uses more memory than allowed',
    why: 'memory',
    options: { budget: { memoryMb: 200 } },
    work: (run, started) => closed(started(run.spawn(process.execPath, ['-e', GREEDY], { stdio: 'ignore' }))),
  },
  {
    name: 'begins children inside children',
    why: 'depth',
    options: { budget: { depth: 20 } },
    work: (run) => {
      const dig = async (one: Supervised): Promise<unknown> => one.child('part', dig);
      return dig(run);
    },
  },
  {
    name: 'writes without an end',
    why: 'time',
    work: (run, started) => closed(started(run.spawn('yes', [], { stdio: 'ignore' }))),
  },
];

/** Whether a process of the group of this leader runs. A dead one that its parent has not read yet does not. */
export function lives({ pid }: ChildProcess): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(group) === pid && state !== 'Z';
      } catch {
        return false; // it ended meanwhile
      }
    });
}
