import { type Check, median, type Row, ratio, row, share, shown } from '../verdicts/row.js';
import { liveRoute, type RouteEnd, type RouteWorld } from './life.js';

type Rates = Readonly<Record<'old' | 'new', Readonly<Record<string, number>>>>;

/** The new arm suits German requests, the old one English requests. */
const CROSSED: Rates = { old: { de: 0.4, en: 0.05 }, new: { de: 0.1, en: 0.3 } };
/** The new arm is the better single choice, and still the worse one for English requests. */
const LEANING: Rates = { old: { de: 0.5, en: 0.05 }, new: { de: 0.1, en: 0.2 } };
const SAME: Rates = { old: { de: 0.2, en: 0.2 }, new: { de: 0.2, en: 0.2 } };
const BETTER: Rates = { old: { de: 0.3, en: 0.3 }, new: { de: 0.1, en: 0.1 } };

const byLanguage =
  (rates: Rates): RouteWorld['rate'] =>
  (arm, { language = '' }) =>
    rates[arm][language] ?? 0.2;

/** A language, and as many features that mean nothing. */
const features =
  (noise: number): RouteWorld['features'] =>
  (luck) => {
    const drawn = Array.from({ length: noise }, (_, index) => [`noise${index}`, luck() < 0.5 ? 'a' : 'b']);
    return { ...Object.fromEntries(drawn), language: luck() < 0.5 ? 'de' : 'en' };
  };

const TASKS = 6_000;

/** The kinds of request that want the new arm are found, and the others left alone. */
function finds(arms: RouteWorld['arms'], name: string, rates: Rates, noise = 0): Row {
  return row<RouteEnd>({
    world: `routing ${arms}: ${name}`,
    goal: 'in at least 85 %, English requests keep the old arm; at least 80 % of the possible gain afterwards',
    lives: 100,
    cut: noise === 0 ? 2 : 0,
    live: (seed) => liveRoute(seed, { arms, features: features(noise), rate: byLanguage(rates), tasks: TASKS }),
    measure: (lives) => [
      share('found', lives.filter(isFound).length, lives.length, { min: 0.85 }),
      gain(lives, 0.8),
      median(
        'tasks',
        lives.map(({ confirmedAfter }) => confirmedAfter ?? Number.POSITIVE_INFINITY),
        TASKS / 2,
      ),
      overSingle(lives),
    ],
  });
}

/** Nothing is routed if the arms do not differ. */
function findsNothing(arms: RouteWorld['arms'], noise: number): Row {
  return row<RouteEnd>({
    world: `routing ${arms}: no difference, ${noise + 1} feature${noise === 0 ? '' : 's'}`,
    goal: 'confirmed in at most 5 %',
    lives: 200,
    cut: noise === 0 ? 2 : 0,
    live: (seed) => liveRoute(seed, { arms, features: features(noise), rate: byLanguage(SAME), tasks: 3_000 }),
    measure: (lives) => [
      share('confirmed', lives.filter(({ status }) => status === 'confirmed').length, lives.length, { max: 0.05 }),
    ],
  });
}

/** Features that mean nothing cost a better arm nothing. */
function ignoresNoise(arms: RouteWorld['arms']): Row {
  return row<RouteEnd>({
    world: `routing ${arms}: the new arm is better for all, 6 features without meaning`,
    goal: 'confirmed in at least 95 %, and in at most 5 % not for all requests',
    lives: 100,
    cut: 0,
    live: (seed) => liveRoute(seed, { arms, features: features(5), rate: byLanguage(BETTER), tasks: 3_000 }),
    measure: (lives) => [
      share('confirmed', lives.filter(({ status }) => status === 'confirmed').length, lives.length, { min: 0.95 }),
      share('not for all', lives.filter(({ except }) => except.length > 0).length, lives.length, { max: 0.05 }),
      gain(lives, 0.9),
    ],
  });
}

const DRIFT_AT = 4_000;

/** Rates of a world whose arms cross, and from the task `DRIFT_AT` on differ as `later` says. */
const drifting =
  (later: Parameters<typeof byLanguage>[0]): RouteWorld['rate'] =>
  (arm, found, task) =>
    byLanguage(task < DRIFT_AT ? CROSSED : later)(arm, found, task);

/** The new arm becomes better for English requests later, too. */
const returns: Row = row<RouteEnd>({
  world: 'routing models: English requests want the new arm from task 4,000 on',
  goal: 'in at least 80 % they get it by task 16,000',
  lives: 60,
  cut: 0,
  live: (seed) =>
    liveRoute(seed, {
      arms: 'models',
      features: features(0),
      rate: drifting({ old: { de: 0.4, en: 0.3 }, new: { de: 0.1, en: 0.05 } }),
      tasks: 16_000,
    }),
  measure: (lives) => [
    share(
      'all get it',
      lives.filter(({ status, except }) => status === 'confirmed' && except.length === 0).length,
      lives.length,
      {
        min: 0.8,
      },
    ),
    gain(lives, 0.5),
  ],
});

/** The new arm becomes bad for German requests. */
const turns: Row = row<RouteEnd>({
  world: 'routing models: the new arm fails German requests from task 4,000 on',
  goal: 'rolled back in at least 95 % by task 9,000',
  lives: 60,
  cut: 0,
  live: (seed) =>
    liveRoute(seed, {
      arms: 'models',
      features: features(0),
      rate: drifting({ old: { de: 0.1, en: 0.05 }, new: { de: 0.4, en: 0.3 } }),
      tasks: 9_000,
    }),
  measure: (lives) => [
    share('not in force', lives.filter(({ status }) => status !== 'confirmed').length, lives.length, { min: 0.95 }),
  ],
});

/** Routing by features in whole loops, each world with its goal. */
export const ROUTE_ROWS: readonly Row[] = [
  finds('models', 'each arm suits one language', CROSSED),
  finds('texts', 'each arm suits one language', CROSSED),
  finds('models', 'the new arm is better on the whole', LEANING),
  finds('texts', 'the new arm is better on the whole', LEANING),
  finds('texts', 'each arm suits one language, 5 features without meaning', CROSSED, 5),
  findsNothing('models', 0),
  findsNothing('texts', 0),
  findsNothing('texts', 5),
  ignoresNoise('texts'),
  returns,
  turns,
];

function isFound({ status, except }: RouteEnd): boolean {
  return status === 'confirmed' && except.some((scope) => scope['feature.language'] === 'en');
}

/** Failures avoided in the last third, of those that the better arm for each request would have avoided. */
function gain(lives: readonly RouteEnd[], min: number): Check {
  const parts = lives.map(({ old, lived, best }) => ({ part: old - lived, of: old - best }));
  return ratio('gain', parts, { min, leeway: 0.4 });
}

/** The same, beyond the better arm of the two for all requests. */
function overSingle(lives: readonly RouteEnd[]): Check {
  const saved = lives.reduce((sum, { single, lived }) => sum + single - lived, 0);
  const possible = lives.reduce((sum, { single, best }) => sum + single - best, 0);
  return shown('% of the gain over the better single arm', Math.round((100 * saved) / possible));
}
