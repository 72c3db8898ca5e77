import type { Proof } from './find-unseen.js';
import type { Call, Step, Trace } from './trace.js';

/** First wrong step of a failed session, with the lines that show it. */
export interface WrongStep {
  readonly agent: string;
  /** Line or index of the step in its input. */
  readonly line: number;
  readonly why: string;
  readonly proofs: readonly Proof[];
}

/** Returns the step at which a failed session first went wrong; undefined if nothing in the trace shows it. */
export function findWrongStep(trace: Trace): WrongStep | undefined {
  if (trace.failed !== true) return undefined;
  return closedWay(trace) ?? firstBadCode(trace) ?? firstDeadEnd(trace) ?? untrueEnd(trace);
}

const STATE =
  /\bnon-\w+ \w+|\bno longer\b|\balready (?:been )?\w+ed\b|\b(?:in)?valid state\b|\bwrong state\b|\blocked\b|\bclosed\b|\bcurrent status\b|\bnot (?:pending|active|open|editable)\b/i;
const ID = /[#A-Za-z]{0,12}\d[\w-]{3,60}/g;

/**
 * Finds an own earlier call on the same object that made a later one impossible: the order was modified, so its address
 * could no longer be changed.
 */
function closedWay({ steps }: Trace): WrongStep | undefined {
  const done: Done[] = [];
  for (const { step, call } of steps.flatMap((own) => own.calls.map((call) => ({ step: own, call })))) {
    const { result } = call;
    if (result === undefined || call.tool === 'code' || call.command !== undefined) continue;
    const refused = isRefused(result.text, result.failed);
    if (!refused && isChange(call)) done.push({ step, call });
    const earlier = refused && STATE.test(result.text) ? lastOnSame(done, call) : undefined;
    if (earlier === undefined) continue;
    return {
      agent: earlier.step.agent,
      line: earlier.step.line,
      why: `${earlier.call.tool} changed what ${call.tool} needed`,
      proofs: [proofOf(earlier.call), proofOf(call)],
    };
  }
  return undefined;
}

interface Done {
  readonly step: Step;
  readonly call: Call;
}

function lastOnSame(done: readonly Done[], { tool, input }: Call): Done | undefined {
  const ids = new Set(input.match(ID) ?? []);
  return done.findLast(({ call }) => call.tool !== tool && (call.input.match(ID) ?? []).some((id) => ids.has(id)));
}

const CHANGES =
  /^(?:modify|update|exchange|cancel|delete|remove|return|create|book|send|submit|set|transfer|pay|refund|close|move|rename|add)[_A-Z-]/;

function isChange({ tool }: Call): boolean {
  return CHANGES.test(tool);
}

/** Returns whether a program printed nothing, or an empty value. */
function isEmptyOutput(text: string): boolean {
  if (text.length > 1_000) return false;
  const lines = text.split('\n').filter((line) => !line.trim().startsWith('exitcode: 0'));
  return EMPTY.has(lines.join('').replace('Code output:', '').replaceAll(/\s/g, '').toLowerCase());
}

function isRefused(text: string, failed: boolean): boolean {
  return failed || /^\s*(?:Error\b|\{"error")/.test(text);
}

const EMPTY: ReadonlySet<string> = new Set(['', '[]', '{}', 'none', 'null', 'nan']);
const NOTHING_FOUND =
  /\bnot found\b|\bno (?:results?|data|tables?|matches)\b|\b(?:40[134]|429|50[0-4])\b|\bunable to\b|\bfailed to\b/i;
const BAD_OUTPUT = /^\s*exitcode: (?!0\b)|Traceback \(most recent|\b[A-Z]\w*Error\b/;
/** Values that an agent made up because it had none. */
const INVENTED =
  /\b(?:assum(?:e|ed|ing)|placeholder|mock|dummy|hypothetical|for (?:demonstration|illustration)|example (?:data|values|prices)|sample data|your[_ ]api[_ ]key|api_endpoint|replace (?:\S+ ){0,4}with (?:your|the) actual)\b/i;

/**
 * Finds the step in a group of agents whose code set the wrong course: it failed, found nothing, or computed the answer
 * from invented values. If no code failed, the first code that the answer rests on.
 */
function firstBadCode({ steps }: Trace): WrongStep | undefined {
  const coded = steps.flatMap((step) => {
    const call = step.calls.find(({ tool, result }) => tool === 'code' && result !== undefined);
    return call === undefined || step.by !== 'agent' ? [] : [{ step, call, text: call.result?.text ?? '' }];
  });
  const first = coded[0];
  if (first === undefined) return undefined;
  const bad = coded.find(
    ({ text }) => BAD_OUTPUT.test(text) || isEmptyOutput(text) || NOTHING_FOUND.test(text.slice(0, 600)),
  );
  const invented = coded.find(({ step }) => INVENTED.test(step.text));
  const found = [bad, invented]
    .filter((one) => one !== undefined)
    .sort((one, other) => one.step.line - other.step.line)[0];
  if (found === undefined && !isUsedLater(first.call, first.step, steps)) return undefined;
  const { step, call, text } = found ?? first;
  const why = whyBad(text, found !== undefined, found === invented);
  const output = { line: call.result?.line ?? step.line, text: lineOf(text) };
  return { agent: step.agent, line: step.line, why, proofs: [{ line: step.line, text: lineOf(step.text) }, output] };
}

/** Returns whether a later message repeats the last value that the code printed. */
function isUsedLater({ result }: Call, from: Step, steps: readonly Step[]): boolean {
  const value = result?.text.trim().split(/\s+/).at(-1);
  return (
    value !== undefined &&
    steps.slice(steps.indexOf(from) + 1).some(({ text }) => text.split(/[^\w.%$-]+/).includes(value))
  );
}

const DEAD_END =
  /\b(?:40[34]|429|50[0-4]) (?:error|forbidden|not found)|\bpage (?:not found|can['’]t be found)|\baccess denied\b|\bcaptcha\b|\bi (?:could not|couldn['’]t|was unable to|cannot|can['’]t) (?:find|access|open|load|locate|retrieve)|\b(?:did not|didn['’]t) (?:find|return|yield)|\bno (?:results?|information) (?:were |was )?found\b|\bTraceback \(most recent/i;
/** Members that only plan and hand on work. */
const PLANNER = /orchestrat|manager|planner|supervisor/i;

/** Finds the first step of a group without shared code at which a working agent reports a dead end. */
function firstDeadEnd({ steps }: Trace): WrongStep | undefined {
  const own = steps.filter(({ by }) => by === 'agent');
  if (new Set(own.map(({ agent }) => agent)).size < 2) return undefined;
  const step = own.find(({ agent, text, line }) => line > 0 && !PLANNER.test(agent) && DEAD_END.test(text));
  if (step === undefined) return undefined;
  const sentence = step.text.split(/\n|(?<=\.)\s/).find((text) => DEAD_END.test(text)) ?? step.text;
  return {
    agent: step.agent,
    line: step.line,
    why: 'it reached a dead end',
    proofs: [{ line: step.line, text: lineOf(sentence) }],
  };
}

function whyBad(text: string, isBad: boolean, isInvented: boolean): string {
  if (!isBad) return 'no code failed, and the answer repeats what this code printed';
  if (BAD_OUTPUT.test(text)) return 'its code failed';
  if (isInvented) return 'its code computes with invented values';
  return 'its code found nothing';
}

const CLAIMS =
  /\b(?:success(?:ful(?:ly)?)?|complete[d]?|all (?:set|done|updates)|has been (?:\w+ )?(?:processed|updated|cancell?ed|booked|modified))\b/i;

/** Finds the last answer that reports success in a run that is known to have failed. */
function untrueEnd({ steps, failed }: Trace): WrongStep | undefined {
  if (failed !== true) return undefined;
  const last = steps.findLast(({ by, text, calls }) => by === 'agent' && calls.length === 0 && text.trim() !== '');
  if (last === undefined || !CLAIMS.test(last.text)) return undefined;
  const sentence = last.text.split('\n').find((line) => CLAIMS.test(line)) ?? last.text;
  const proofs = [{ line: last.line, text: lineOf(sentence) }];
  return { agent: last.agent, line: last.line, why: 'it reports success, and the run failed', proofs };
}

function proofOf({ tool, input, result, line }: Call): Proof {
  const failed = result !== undefined && isRefused(result.text, result.failed);
  return {
    line: failed ? (result?.line ?? line) : line,
    text: lineOf(failed ? `${tool}: ${result?.text}` : `${tool} ${input}`),
  };
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 160);
}
