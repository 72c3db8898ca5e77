import { classifyError } from '../classify/classify-error.js';
import { fingerprint } from '../classify/fingerprint.js';
import { defaultReader } from '../classify/reader.js';
import type { Clock } from '../contract/clock.js';
import { ErrorNamer } from '../observe/error-namer.js';

/** A process that ends sooner does not need the tables. */
const PREPARE_AFTER_MS = 20;
/** Text whose reading builds what most failures need: words of many rules, a place, a number, a quoted name. */
const SAMPLE =
  'The request could not be completed: cannot connect to "list" at 10.0.0.1:80 (/srv/app/main.js:10, code 7), not expected';

/** Each takes a few milliseconds the first time, most of them for compiling. */
const PIECES: readonly (() => unknown)[] = [
  () => defaultReader(),
  () => defaultReader().evidence(),
  () => fingerprint(SAMPLE),
  () => classifyError(SAMPLE),
  () => new ErrorNamer().name(SAMPLE),
];

/**
 * Builds the tables that name errors ahead of the first failure, and reads one text with them, in pieces of a few
 * milliseconds. A cycle that the host asks for right after the start goes first: `isFree` resolves when no cycle is
 * waited for. Does not keep the process alive.
 */
export function prepareNaming(clock: Pick<Clock, 'after'>, isFree: () => Promise<unknown>): void {
  const begin = () => void isFree().then(() => build(clock, PIECES));
  clock.after(PREPARE_AFTER_MS, begin, { background: true });
}

function build(clock: Pick<Clock, 'after'>, [first, ...others]: typeof PIECES): void {
  if (first === undefined) return;
  const run = () => {
    first();
    build(clock, others);
  };
  clock.after(others.length + 1 === PIECES.length ? PREPARE_AFTER_MS : 0, run, { background: true });
}
