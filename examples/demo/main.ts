/**
 * The loop end to end, on a bad day of a model provider: `npx tsx main.ts [--seed 7] [--no-effect] [--quiet]`.
 * Ends with exit code 0 only if what it claims happened. `--no-effect` makes every fix useless; then the claim is that
 * nothing is confirmed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RSILoop } from 'rsi-loop';
import { Agent } from './agent.js';
import { seededRandom } from './draw.js';
import { startProvider } from './provider-process.js';
import { Screen } from './screen.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', default: './rsi_demo' },
    'no-effect': { type: 'boolean', default: false },
    /** Ends after so many seconds at the latest. */
    seconds: { type: 'string', default: '50' },
    quiet: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const fixable = !values['no-effect'];
/** A folder, or a database such as postgres://user@host/database. */
const store = process.env.RSI_STORE ?? values.folder;
const place = store.replace(/:[^:/@]*@/, '@'); // without a password

/** Callers that each do one task after another, with a breath between. */
const CALLERS = 24;
const BREATH_MS = 100;
const MAX_TASKS = 10_000;
const CYCLE_EVERY_MS = 1_000;
/** How long it goes on when everything was shown, and when it was shown before. */
const AFTERWARDS_MS = 8_000;

const screen = new Screen(values.quiet);
const provider = await startProvider({ seed, fixable });
const loop = new RSILoop({
  store,
  random: seededRandom(seed),
  // This agent asks one model and takes what comes; the loop has to find out which model that should be.
  policy: { 'model.fallback': false },
  // Its calls only ask: asking again does no harm. Without this line the loop would propose retries and try none.
  idempotent: true,
  // Five patterns together: one false confirmation in a hundred for each makes one in twenty for the whole demo.
  alpha: 0.01,
  // Everything here happens within a minute, so health may forget within seconds.
  healthHalfLifeMs: 4_000,
});

loop.on('pattern-found', ({ pattern }) => screen.pattern(pattern));
loop.on('fix-proposed', ({ fix }) => screen.fix(fix));
loop.on('trial-started', ({ fix }) => screen.trial(fix));
loop.on('trial-progressed', ({ fix, figures }) => screen.evidence(fix, figures));
loop.on('verdict', ({ fix, verdict }) => screen.verdict(fix, verdict));
loop.on('fix-rolled-back', ({ fix, reason }) => screen.rolledBack(fix, reason));
loop.on('problem', ({ where, message }) => screen.problem(where, message));
await loop.ready();

const resumed = loop.fixes({ status: 'confirmed' }).length > 0;
screen.say(`A model server on ${provider.url} has a bad day. State is kept in ${place}.`);
if (resumed) screen.say('A loop was here before: what was proven then holds from the first task on.');
screen.say('');

const agent = new Agent(loop, provider.url);
const startedMs = performance.now();
let tasks = 0;
let endsMs = startedMs + (resumed ? AFTERWARDS_MS : Number(values.seconds) * 1_000);
let before: number | undefined;

const isOver = () => tasks >= MAX_TASKS || performance.now() > endsMs;
const callers = Array.from({ length: CALLERS }, async () => {
  while (!isOver()) {
    tasks++;
    await agent.doNext();
    await sleep(BREATH_MS);
  }
});
const cycles = (async () => {
  while (!isOver()) {
    await sleep(CYCLE_EVERY_MS);
    const { health, verdicts } = await loop.runCycle();
    before ??= health.score;
    screen.health(health, tasks);
    // All was shown: a little longer, to see what it did to health.
    if (verdicts.length > 0 && fixable && isShown()) endsMs = Math.min(endsMs, performance.now() + AFTERWARDS_MS);
  }
})();
await Promise.all([...callers, cycles]);

const confirmed = loop.fixes({ status: 'confirmed' });
const useless = loop.fixes({ status: 'rolled-back', task: 'triage' });
const after = loop.healthScore();
const seconds = (performance.now() - startedMs) / 1000;
const proven = confirmed.map(({ task, target }) => `${task} ${target}`).join(', ');
const claims: [claim: string, holds: boolean][] = fixable
  ? [
      [`a fix is proven and kept: ${proven}`, confirmed.length > 0],
      ['a fix that does nothing is rolled back: asking again about a cut ticket', useless.length > 0],
    ]
  : [['no fix is confirmed where none can help', confirmed.length === 0]];
if (fixable && !resumed)
  claims.push([`health rises: ${before?.toFixed(2)} to ${after.toFixed(2)}`, after > (before ?? 1)]);
await loop.close();
provider.stop();

screen.say('');
for (const [claim, isTrue] of claims) screen.claim(claim, isTrue);
console.log(`seed ${seed}: ${tasks} tasks in ${seconds.toFixed(0)} s`);
screen.say('');
screen.say(
  `Go on with: ${store === values.folder ? `npx rsi analyze ${values.folder}` : `npx rsi fixes --store ${place}`}, or run the demo again: what was proven holds from the start.`,
);
process.exitCode = claims.every(([, isTrue]) => isTrue) ? 0 : 1;

/** Both kinds of verdict have been seen. */
function isShown(): boolean {
  return (
    loop.fixes({ status: 'confirmed' }).length > 1 && loop.fixes({ status: 'rolled-back', task: 'triage' }).length > 0
  );
}
