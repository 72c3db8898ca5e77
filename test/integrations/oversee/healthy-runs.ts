import { type Receipt, type Supervised, supervise } from '../../../integrations/oversee/index.js';
import { RSILoop } from '../../../src/index.js';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

export interface HealthReport {
  readonly runs: number;
  readonly calls: number;
  /** Simulated time, in hours. */
  readonly hours: number;
  /** Stops of healthy runs, with their reasons. */
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
}

/** Part of a healthy run. */
interface Scene {
  readonly run: Supervised;
  readonly random: Random;
  /** Lets the time pass, in seconds. */
  pass(seconds: number): Promise<void>;
  /** Whole number from `least` to `most`. */
  between(least: number, most: number): number;
  /** Input of an edit: a file and a line, in words that are seldom the same. */
  edit(): { readonly path: string; readonly text: string };
  /** Reports a call, with an input and a result that no other call has, unless given. */
  call(tool: string, about?: { readonly input?: unknown; readonly result?: unknown; readonly error?: string }): void;
}

type Behaviour = (scene: Scene) => Promise<void>;

const SYLLABLES = 'ba de fi go lu ma ne pi ro su ta ve wi xo zu kal mer sin dor pun'.split(' ');
const SECONDS_PER_HOUR = 3_600;

/** Behaviours of agents that make progress, some of which look like those that do not. */
export const HEALTHY: Readonly<Record<string, Behaviour>> = {
  'a silent build': async ({ pass, between, call }) => {
    await pass(between(60, 570));
    call('build');
  },
  'a long build with notice': async ({ run, pass, between, call }) => {
    const seconds = between(600, 5_400);
    await run.wait('npm run build', { upToMs: 2 * SECONDS_PER_HOUR * 1_000 }, () => pass(seconds));
    call('build');
  },
  'a person who answers late': async ({ run, pass, between, call }) => {
    const answered = pass(between(1_200, 10 * SECONDS_PER_HOUR));
    await run.wait('the answer of a person', { upToMs: 12 * SECONDS_PER_HOUR * 1_000 }, () => answered);
    call('ask');
  },
  'polling with a result that changes': async ({ pass, between, call }) => {
    const [build, steps] = [between(1, 100_000), between(5, 40)];
    for (let step = 1; step <= steps; step++) {
      // A step may take several looks.
      for (let looks = between(1, 6); looks > 0; looks--) {
        await pass(between(5, 60));
        call('status', { input: build, result: `build ${build}: step ${step} of ${steps}, ${between(1, 900)} s` });
      }
    }
  },
  'polling with equal answers': async ({ pass, between, call }) => {
    const [build, gap] = [between(1, 100_000), between(20, 90)];
    for (let looks = Math.floor(between(60, 5_000) / gap); looks > 0; looks--) {
      await pass(gap + between(0, 5));
      call('status', { input: build, result: 'pending' });
    }
    call('status', { input: build, result: `build ${build} is ready` });
  },
  'polling of two deployments in turn': async ({ pass, between, call }) => {
    for (let looks = between(5, 60); looks > 0; looks--) {
      await pass(between(25, 60));
      for (const zone of ['north', 'south']) call('status', { input: zone, result: 'rolling out' });
    }
    call('status', { input: 'north' });
  },
  'slow progress': async ({ pass, between, call }) => {
    const [job, step] = [between(1, 100_000), between(1, 5)];
    for (let share = 0; share <= 100; share += step) {
      await pass(between(1, 100));
      call('progress', { input: job, result: `${share} % copied` });
    }
  },
  'rows without a known total': async ({ pass, between, call }) => {
    const [job, step] = [between(1, 100_000), between(100, 1_000)];
    for (let part = between(10, 150); part > 0; part--) {
      await pass(between(1, 30));
      call('import', { input: job, result: `rows so far: ${part * step}` });
    }
  },
  'children that work one after the other': async ({ run, pass, between, call, edit }) => {
    for (let part = between(2, 5); part > 0; part--) {
      await run.child('part', async (child) => {
        for (let steps = between(5, 40); steps > 0; steps--) {
          await pass(between(5, 60));
          if (steps % 3 === 0) await child.spend({ usd: 0.01 }, () => undefined);
          else child.note({ tool: 'edit', input: edit(), result: 'ok' });
        }
      });
    }
    call('merge');
  },
  'children side by side, one of which polls': async ({ run, pass, between, edit }) => {
    const ends = between(10, 80);
    let isDone = false;
    const worker = run.child('works', async (child) => {
      for (let steps = ends; steps > 0; steps--) {
        await pass(between(20, 60));
        child.note({ tool: 'edit', input: edit(), result: 'ok' });
      }
      isDone = true;
    });
    const watcher = run.child('polls', async (child) => {
      while (!isDone) {
        await pass(30);
        child.note({ tool: 'status', input: 'worker', result: 'running' });
      }
    });
    await Promise.all([worker, watcher]);
  },
  'polling with notice': async ({ run, pass, between, call }) => {
    await run.wait('the deployment', { upToMs: 3 * SECONDS_PER_HOUR * 1_000 }, async () => {
      for (let looks = between(8, 60); looks > 0; looks--) {
        await pass(30);
        call('status', { input: 'deployment 3', result: 'pending' });
      }
    });
    call('status', { input: 'deployment 3' });
  },
  'retries with backoff': async ({ pass, between, call }) => {
    for (let attempt = between(1, 6), seconds = 1; attempt > 0; attempt--, seconds *= 2) {
      call('fetch', { input: 'https://api.example.com', error: '429 Too Many Requests' });
      await pass(seconds);
    }
    call('fetch', { input: 'https://api.example.com' });
  },
  'large reads': async ({ pass, between, call }) => {
    for (let page = between(5, 30); page > 0; page--) {
      await pass(between(1, 5));
      call('read', { result: `${page} ${'x'.repeat(between(1_000, 40_000))}` });
    }
  },
  'similar edits': async ({ pass, between, call, edit }) => {
    for (let file = between(10, 120); file > 0; file--) {
      await pass(between(2, 20));
      call('edit', { input: edit(), result: 'ok' });
    }
  },
  'edits with the same check after each': async ({ pass, between, call, edit }) => {
    for (let file = between(5, 40); file > 0; file--) {
      await pass(between(2, 20));
      call('edit', { input: edit(), result: 'ok' });
      call('lint', { input: 'src', result: 'no problems' });
    }
  },
  'tests that fail less each time': async ({ pass, between, call }) => {
    for (let failing = between(3, 20); failing > 0; failing--) {
      call('edit', { result: `changed line ${between(1, 10_000)} to ${between(1, 1e9)}` });
      await pass(between(5, 120));
      call('test', { input: 'npm test', error: `${failing} of 120 tests failed` });
    }
    call('test', { input: 'npm test' });
  },
  'searches without a match': async ({ pass, between, call }) => {
    for (let search = between(2, 14); search > 0; search--) {
      await pass(between(1, 10));
      call('search', { result: 'no match' });
    }
    call('search');
  },
  'different errors in a row': async ({ pass, between, call }) => {
    for (let errors = between(1, 8); errors > 0; errors--) {
      await pass(between(1, 30));
      call(`tool ${between(1, 4)}`, { error: `problem ${'abcdefghij'[between(0, 9)]} of kind ${errors}` });
    }
    call('shell');
  },
  'files read again after the context was compacted': async ({ pass, between, call }) => {
    const files = between(5, 30);
    for (const round of [1, 2]) {
      for (let file = 1; file <= files; file++) {
        await pass(between(1, 4));
        call('read', { input: `file ${file}`, result: `content of file ${file}` });
      }
      if (round === 1) call('compact');
    }
    call('shell');
  },
  'long thoughts': async ({ pass, between, call }) => {
    for (let thoughts = between(1, 4); thoughts > 0; thoughts--) {
      await pass(between(60, 290));
      call('shell');
    }
  },
};

/** Runs agents that make progress, each under the default watch, and reports every stop. */
export async function healthyRuns(count: number, { from = 0, seed = 21 } = {}): Promise<HealthReport> {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  const broken: string[] = [];
  const report = { runs: 0, calls: 0 };
  const beganMs = clock.monotonic();
  let current = '';
  const guarded = supervise(loop, {
    onStop: ({ why, message }: Receipt) => broken.push(`${current}: ${why}: ${message}`),
  });
  for (; report.runs < count; report.runs++) {
    const number = from + report.runs;
    const random = seededRandom(seed * 1_000_003 + number);
    await guarded('agent', async (run) => {
      const scene = sceneOf(run, clock, random, () => report.calls++);
      for (let parts = scene.between(4, 12); parts > 0 && !run.signal.aborted; parts--) {
        const names = Object.keys(HEALTHY);
        const name = names[scene.between(0, names.length - 1)] ?? '';
        current = `run ${number}, ${name}`;
        await HEALTHY[name]?.(scene);
      }
    }).catch(() => undefined);
  }
  await loop.close();
  return { ...report, hours: Math.round((clock.monotonic() - beganMs) / 3_600_000), broken };
}

function sceneOf(run: Supervised, clock: ManualClock, random: Random, onCall: () => number): Scene {
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const word = () => Array.from({ length: between(2, 3) }, () => SYLLABLES[between(0, SYLLABLES.length - 1)]).join('');
  return {
    run,
    random,
    pass: (seconds) => clock.advance(seconds * 1_000),
    between,
    edit: () => ({ path: `src/${word()}/${word()}.ts`, text: Array.from({ length: between(1, 12) }, word).join(' ') }),
    call: (tool, about = {}) => {
      const number = onCall();
      run.note({ tool, input: `input ${number}`, result: `result ${number}`, ...about });
    },
  };
}
