import { fingerprint, redact } from 'rsi-loop';
import { recordedText } from 'rsi-loop/kit';
import { type ProbeEnd, showCall } from './call-probe.js';
import type { ProbedCall } from './probes.js';

/** Result of comparing the calls in two versions. */
export type Judgement =
  | { readonly kind: 'passed'; readonly after: string; readonly checks: readonly string[] }
  | { readonly kind: 'failed'; readonly why: string };

/** Values that a repair may return only if earlier calls did. */
const NOTHING: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN']);

/**
 * Compares the calls in the code as it is and with a patch: the failed call returns, calls that returned still return the
 * same, calls like the failed one fail no longer in the same way, and missing data stays an error. Calls that end in
 * different ways in two runs of the code as it is say nothing.
 * @param hasTest Whether a test of the repository failed before and passes now. Without one, a fixed answer is rejected.
 */
export function judgePatch(
  before: readonly ProbedCall[],
  again: readonly ProbedCall[],
  after: readonly ProbedCall[],
  hasTest: boolean,
): Judgement {
  const [failed] = before;
  const [repaired] = after;
  if (!failed || repaired?.end.kind !== 'returned') {
    return { kind: 'failed', why: `the recorded call still fails: ${describeEnd(repaired?.end)}` };
  }
  const steady = before.flatMap((call, index) => {
    const [same, with_] = [again[index], after[index]];
    return same && with_ && isSame(call.end, same.end) ? [{ reason: call.reason, before: call, after: with_ }] : [];
  });
  const kept = steady.filter(({ reason, before: { end } }) => {
    // Without its data, a call that returned garbage may also throw.
    const isGarbage = reason === 'without' && hidesNothing(end);
    return end.kind === 'returned' && !isGarbage;
  });
  const other = kept.find((pair) => !isSame(pair.before.end, pair.after.end));
  if (other) return failedBy('returned something else before', other.after, other.before);
  const returned = kept.map(({ before: { end } }) => (end.kind === 'returned' ? end.value : ''));
  if (NOTHING.has(repaired.end.value) && !returned.includes(repaired.end.value)) {
    return { kind: 'failed', why: `the recorded call returns ${repaired.end.value}, which no earlier call did` };
  }
  const alike = steady.filter(({ reason, before: { end } }) => reason === 'similar' && sameFailure(end, failed.end));
  const failing = alike.filter((pair) => sameFailure(pair.after.end, failed.end));
  // Some similar calls are wrong in themselves. A patch for the recorded call alone mends none.
  if (failing[0] && failing.length * 2 > alike.length) {
    return failedBy(`like the recorded one still fails, as do ${failing.length} of ${alike.length}`, failing[0].after);
  }
  const mended = alike.flatMap(({ after: { end } }) => (end.kind === 'returned' ? [end.value] : []));
  const { value } = repaired.end;
  if (!hasTest && mended.length > 1 && mended.every((each) => each === value) && !returned.includes(value)) {
    return {
      kind: 'failed',
      why: `${mended.length + 1} different calls return ${storedText(value, 100)}: a fixed answer hides the failure`,
    };
  }
  const lacking = steady.filter(({ reason }) => reason === 'without');
  const missing = lacking.filter((pair) => pair.before.end.kind === 'threw' && baseOf(pair, steady) === undefined);
  const guessed =
    missing.find((pair) => pair.after.end.kind === 'returned') ?? lacking.find((pair) => isGuess(pair, steady));
  if (guessed) return failedBy('lacks data that was required, and now returns a value', guessed.after);
  return {
    kind: 'passed',
    after: describeEnd(repaired.end),
    checks: [
      `calls that worked and return the same: ${kept.length} of ${kept.length}`,
      `calls like the failed one that no longer fail in this way: ${alike.length - failing.length} of ${alike.length}`,
      `calls without required data that still end with an error: ${missing.length} of ${missing.length}`,
    ],
  };
}

/** Call in the code as it is and with a patch. */
interface Pair {
  readonly reason: ProbedCall['reason'];
  readonly before: ProbedCall;
  readonly after: ProbedCall;
}

/** Returns the call that a pair lacks data of, if that call failed itself: then the missing data may not be why it fails. */
function baseOf({ before: { missing } }: Pair, steady: readonly Pair[]): Pair | undefined {
  const base = missing && steady.find(({ before: { copy } }) => copy === missing.from);
  return base?.before.end.kind === 'threw' ? base : undefined;
}

/**
 * Returns whether the patch makes another value of a failed call that lacks a field. A field that earlier calls could lack
 * is none, and neither is one that changes nothing. A visible NaN or undefined hides nothing.
 */
function isGuess(pair: Pair, steady: readonly Pair[]): boolean {
  const [base, { end }] = [baseOf(pair, steady), pair.after];
  if (!base || end.kind !== 'returned' || hidesNothing(end)) return false;
  if (base.after.end.kind !== 'returned' || base.after.end.value === end.value) return false;
  const { field } = pair.before.missing ?? {};
  const others = steady.filter(({ before: { missing } }) => missing?.field === field);
  return !others.some((other) => other.before.end.kind === 'returned');
}

/** Returns whether a result shows that something was missing. */
function hidesNothing(end: ProbeEnd): boolean {
  return end.kind === 'returned' && /\b(?:NaN|undefined|null)\b/.test(end.value);
}

/** Returns whether two calls failed in the same way: the same class, and the same message but for its values. */
export function sameFailure(one: ProbeEnd, other: ProbeEnd): boolean {
  if (one.kind !== 'threw' || other.kind !== 'threw' || one.name !== other.name) return false;
  return one.message === other.message || fingerprint(one.message) === fingerprint(other.message);
}

/** Describes an end in one line, without secrets. */
export function describeEnd(end: ProbeEnd | undefined): string {
  if (end?.kind === 'returned') return `returned ${storedText(end.value, 200)}`;
  if (end?.kind === 'threw') return `threw ${storedText(`${end.name}: ${end.message}`, 200)}`;
  return 'it did not end in time';
}

function isSame(one: ProbeEnd, other: ProbeEnd): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function failedBy(what: string, call: ProbedCall, before?: ProbedCall): Judgement {
  const text = storedText(showCall(call.copy), 160);
  const was = before ? ` (before: ${describeEnd(before.end)})` : '';
  return { kind: 'failed', why: `a call ${what}: ${text} ${describeEnd(call.end)}${was}` };
}

/** Evidence is stored, becomes a part of the commit, and is shown to the model. */
function storedText(text: string, maxBytes: number): string {
  return recordedText(redact(text), maxBytes);
}
