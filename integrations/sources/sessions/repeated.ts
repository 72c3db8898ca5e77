import { type Correction, likeness, wordsOf } from './corrections.js';
import { checksOf, withoutTexts } from './session-checks.js';
import type { Call } from './trace.js';

/** Correction that a user made again in several sessions, as a proposal for a rule. */
export interface Repeated {
  /** Number of corrections, and of sessions that hold them. */
  readonly times: number;
  readonly sessions: number;
  /** Sentence for people: `you said it 4 times in 3 sessions`. */
  readonly count: string;
  /** Action that was corrected. The rule holds only before it. */
  readonly condition: string;
  readonly rule: string;
  /** Words of the user, the shortest first. */
  readonly said: readonly string[];
  readonly places: readonly { readonly path: string; readonly line: number }[];
  /** Set if the user complained in other sessions that it was left out. Then the rule needs a person to decide. */
  readonly against?: string;
}

/** Least number of corrections and of sessions for a rule. */
const MIN_TIMES = 3;
const MIN_SESSIONS = 2;
/** Common words of two corrections that say the same. */
const LIKE = 0.4;
const MAX_SAID = 5;
const MAX_SAID_CHARS = 200;

/** Groups what users corrected by what was done and what they said. Keeps what came again in several sessions. */
export function findRepeated(corrections: readonly Correction[]): readonly Repeated[] {
  const groups: Correction[][] = [];
  for (const correction of corrections) {
    if (correction.kind === 'interrupt' || (correction.said === '' && correction.kind !== 'refusal')) continue;
    const group = groups.find(([first]) => first !== undefined && isSame(first, correction));
    if (group) group.push(correction);
    else groups.push([correction]);
  }
  return groups.flatMap((group) => proposal(group, corrections) ?? []).sort((one, other) => other.times - one.times);
}

/** Two refusals of the same command are the same with any words. Other corrections need similar words. */
function isSame(one: Correction, other: Correction): boolean {
  const isRefusal = one.kind === 'refusal' && other.kind === 'refusal';
  const command = one.after?.command === undefined ? undefined : actionOf(one.after);
  if (isRefusal && command !== undefined && command === actionOf(other.after)) return true;
  return likeness(topic(one.said), topic(other.said)) >= LIKE;
}

const FILLERS =
  /^(?:no|not|but|the|this|that|it|is|are|you|we|an?|to|of|in|on|for|and|or|i|do|does|did|don['’]t|please|just|again|still|my|me|be|with|as|at|can|should|why|so|have|has|already|told|said|nein|nicht|das|die|der|ist|und|ich|du|non|pas|le|la|les|est)$/;

function topic(said: string): ReadonlySet<string> {
  return new Set([...wordsOf(said)].filter((word) => !FILLERS.test(word)));
}

/** Returns a name for what a call does, equal for equal commands: the program with its subcommands, or the tool. */
export function actionOf(call: Call | undefined): string | undefined {
  if (call === undefined) return undefined;
  if (call.command === undefined) return call.tool;
  const parts = withoutTexts(call.command)
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim());
  const telling =
    parts.find((part) => checksOf(part).size > 0) ?? parts.find((part) => part !== '' && !/^cd\b/.test(part));
  const words = telling?.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word) && !word.startsWith('-')) ?? [];
  const name = words.slice(0, 3).filter((word) => !/^[./~]|\d{4,}|[<>&"'$]/.test(word));
  return name.length === 0 ? undefined : name.join(' ');
}

function proposal(group: readonly Correction[], all: readonly Correction[]): Repeated | undefined {
  const sessions = new Set(group.map(({ session }) => session)).size;
  if (group.length < MIN_TIMES || sessions < MIN_SESSIONS) return undefined;
  const said = [...new Set(group.map((one) => one.said.replace(/\s+/g, ' ').slice(0, MAX_SAID_CHARS)))]
    .filter((text) => text !== '')
    .sort((one, other) => one.length - other.length)
    .slice(0, MAX_SAID);
  const actions = group.flatMap(({ after }) => actionOf(after) ?? []);
  const action = actions.find((one) => actions.filter((other) => other === one).length * 2 > group.length);
  const condition = action === undefined ? 'in the situations of these sessions' : `before ${action}`;
  const isRefusal = group.every(({ kind }) => kind === 'refusal');
  const rule =
    isRefusal && action !== undefined ? refusalRule(action, said[0]) : `The user corrects: "${said[0] ?? ''}".`;
  const against = action === undefined ? undefined : opposite(action, group, all);
  return {
    times: group.length,
    sessions,
    count: `you said it ${group.length} times in ${sessions} sessions`,
    condition,
    rule,
    said,
    places: group.map(({ path, line }) => ({ path, line })),
    ...(against !== undefined && { against }),
  };
}

function refusalRule(action: string, said: string | undefined): string {
  return `Ask before running \`${action}\`: the user refused it${said === undefined ? '' : ` ("${said}")`}.`;
}

/** Returns the words of a correction that asks for what others refused: its run was missing and something broke. */
function opposite(action: string, group: readonly Correction[], all: readonly Correction[]): string | undefined {
  const kinds = checksOf(action);
  const words = topic(action);
  const other = all.find(
    (one) =>
      !group.includes(one) &&
      one.kind === 'said' &&
      /\b(?:fail\w*|broken?|red|forgot|did(?:n['’]t| not) run|missed|not run)\b/i.test(one.said) &&
      (likeness(topic(one.said), words) > 0 || (kinds.has('tests') && /\btests?\b|\bCI\b/i.test(one.said))),
  );
  return other?.said.replace(/\s+/g, ' ').slice(0, MAX_SAID_CHARS);
}
