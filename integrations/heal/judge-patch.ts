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
  const kept = steady.filter(({ before: { end } }) => end.kind === 'returned');
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
  const missing = steady.filter(({ reason, before: { end } }) => reason === 'without' && end.kind === 'threw');
  const invented = missing.find((pair) => pair.after.end.kind === 'returned');
  if (invented) return failedBy('lacks data that was required, and now returns a value', invented.after);
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
