import fc from 'fast-check';
import { type Life, TROUBLES } from './life.js';

const HOUR_MS = 3_600_000;

/** The little that has to be known of a life to choose steps that mean something. */
interface Known {
  readonly isStopped: [boolean, boolean];
}

type Step = fc.AsyncCommand<Known, Life>;
/** The steps of one life, in order. */
export type Script = Iterable<Step>;

/** A step that does something in one of two processes, unless that one is stopped. */
function inProcess<Params>(
  name: string,
  params: fc.Arbitrary<Params>,
  run: (life: Life, place: number, params: Params) => unknown,
): fc.Arbitrary<Step> {
  return fc.tuple(fc.constantFrom(0, 0, 0, 1), params).map(([place, chosen]) => ({
    check: ({ isStopped }) => !isStopped[place],
    run: async (_, life) => void (await run(life, place, chosen)),
    toString: () => `${name}(${place}, ${JSON.stringify(chosen)})`,
  }));
}

const nothing = fc.constant(null);
const trouble = fc.nat(TROUBLES.length - 1);

const work = fc.record({
  trouble: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
  count: fc.integer({ min: 1, max: 120 }),
  everyMs: fc.constantFrom(1, 200, 10_000, 60_000),
  perSession: fc.constantFrom(0, 0, 4, 9),
  endsSessions: fc.boolean(),
  model: fc.constantFrom(undefined, 'small', 'large'),
});
const weather = fc.record({
  rate: fc.constantFrom(0, 0.1, 0.3, 0.6),
  effect: fc.constantFrom(0.1, 0.3, 1, 2.5),
  extraMs: fc.constantFrom(0, 0, 30, 400),
});
const decision = fc.record({
  kind: fc.constantFrom(
    'approve' as const,
    'approve' as const,
    'reject' as const,
    'apply' as const,
    'rollback' as const,
  ),
  which: fc.nat(9),
});
const records = fc.record({
  trouble,
  count: fc.integer({ min: 1, max: 60 }),
  shiftMs: fc.constantFrom(0, 0, -5_000, -40 * HOUR_MS, 2 * HOUR_MS),
  isRepeated: fc.boolean(),
});

/** When a lease expires in the middle of a cycle; undefined: it does not. */
const ticks = fc.option(fc.nat(400), { nil: undefined });
const restart = fc.record({ isKilled: fc.boolean(), isHeld: fc.constantFrom(false, false, true) });
const file = fc.constantFrom('SOUL.md' as const, 'AGENTS.md' as const, 'TOOLS.md' as const);
const pause = fc.constantFrom(1, 1_000, HOUR_MS, 30 * HOUR_MS, 100 * HOUR_MS, 800 * HOUR_MS);
const jump = fc.constantFrom(-HOUR_MS, -2_000, 5_000, HOUR_MS);

/** Stops a process as SIGSTOP does, or lets a stopped one go on. */
function stopOrResume(isStop: boolean): fc.Arbitrary<Step> {
  return fc.nat(1).map((place) => ({
    check: ({ isStopped }) => isStopped[place] !== isStop,
    run: async (known, life) => {
      known.isStopped[place] = isStop;
      if (isStop) life.stop(place);
      else life.resume(place);
    },
    toString: () => `${isStop ? 'stop' : 'resume'}(${place})`,
  }));
}

/** Steps and how often they are drawn, beside each other. */
const steps: readonly { readonly often: number; readonly step: fc.Arbitrary<Step> }[] = [
  { often: 6, step: inProcess('work', work, (life, place, what) => life.work(place, what)) },
  {
    often: 12,
    step: inProcess('work and cycle', work, async (life, place, what) => {
      await life.work(place, what);
      await life.cycle(place);
    }),
  },
  { often: 4, step: inProcess('cycle', nothing, (life, place) => life.cycle(place)) },
  {
    often: 1,
    step: inProcess('weather', fc.tuple(trouble, weather), (life, _, [index, now]) => life.setWeather(index, now)),
  },
  {
    often: 1,
    step: inProcess('begin', fc.tuple(trouble, fc.integer({ min: 1, max: 8 })), (life, place, [index, count]) =>
      life.begin(place, index, count),
    ),
  },
  { often: 1, step: inProcess('end', fc.integer({ min: 1, max: 8 }), (life, place, count) => life.end(place, count)) },
  {
    often: 1,
    step: inProcess('record', records, (life, place, { trouble: index, count, shiftMs, isRepeated }) =>
      life.record(place, index, count, shiftMs, isRepeated),
    ),
  },
  { often: 3, step: inProcess('decide', decision, (life, place, { kind, which }) => life.decide(place, kind, which)) },
  {
    often: 2,
    step: inProcess('together', fc.tuple(decision, ticks), (life, place, [{ kind, which }, count]) =>
      life.together(() => life.decide(place, kind, which), count),
    ),
  },
  { often: 1, step: inProcess('freeze', nothing, (life, place) => life.freeze(place)) },
  { often: 2, step: inProcess('unfreeze', nothing, (life, place) => life.unfreeze(place)) },
  {
    often: 1,
    step: inProcess('edit file', fc.tuple(file, fc.boolean()), (life, _, [path, isEmptied]) =>
      life.editFile(path, isEmptied),
    ),
  },
  {
    often: 1,
    step: inProcess('restart', restart, (life, place, { isKilled, isHeld }) => life.restart(place, isKilled, isHeld)),
  },
  { often: 2, step: inProcess('pass', pause, (life, _, ms) => life.pass(ms)) },
  { often: 1, step: inProcess('clock', jump, (life, _, ms) => life.clock.jump(ms)) },
  { often: 1, step: inProcess('compare', nothing, (life) => life.compare()) },
  { often: 1, step: stopOrResume(true) },
  { often: 2, step: stopOrResume(false) },
];

/** Random steps of a life with two processes over one folder. */
export const someSteps = fc.commands(
  steps.flatMap(({ often, step }) => Array.from({ length: often }, () => step)),
  { maxCommands: 80, size: 'max' },
);

export function nothingStopped(): Known {
  return { isStopped: [false, false] };
}
