import { jsonOf, rowOf, rowsOf } from '../import/import-fields.js';
import { type Claim, claimsIn } from './claims.js';
import { type CheckKind, checksOf, resultOf } from './session-checks.js';
import { type Call, type Step, type Trace, type Turn, turnsOf } from './trace.js';

/** Line of a trace that proves a finding. */
export interface Proof {
  readonly line: number;
  readonly text: string;
}

/** Claim of an answer that the trace does not bear out. */
export interface Unseen {
  readonly kind: Claim['kind'] | 'tool-error';
  readonly claimed: string;
  /** Contradiction in the trace, in words. */
  readonly seen: string;
  readonly line: number;
  readonly atMs?: number | undefined;
  readonly proofs: readonly Proof[];
}

/** Finds claims in the answers of a session that its trace contradicts, or never shows. */
export function findUnseen(trace: Trace): readonly Unseen[] {
  const calls: Call[] = [];
  const found: Unseen[] = [];
  for (const turn of turnsOf(trace)) {
    for (const step of turn.steps) calls.push(...step.calls);
    const { answer } = turn;
    if (answer === undefined || calls.length === 0) continue;
    const silent = silentFailure(turn, answer);
    if (silent) found.push({ kind: 'tool-error', line: answer.line, atMs: answer.atMs, ...silent });
    for (const claim of claimsIn(answer.text)) {
      const unseen = contradiction(claim, { calls, turn, answer });
      if (unseen)
        found.push({ claimed: claim.sentence, line: answer.line, atMs: answer.atMs, ...unseen, kind: claim.kind });
    }
  }
  return found;
}

const DONE =
  /^(?:perfect|excellent|great|done|fixed|all done|success\w*|complete[d]?|finished|everything|✅|the (?:fix|task|change|feature) is (?:complete|done|in place))\b/i;
const TROUBLE =
  /\b(?:error|fail\w*|issue|couldn['’]t|could not|unable|cannot|can['’]t|not|n['’]t|however|unfortunately|denied|permission|exit|problem|warning|missing|skipped|conflict\w*|manual\w*)\b/i;
/** Commands that fail to say no: nothing was found, or files differ. */
const LOOKS =
  /^\s*(?:cd \S+ && )?(?:grep|rg|ls|cat|find|which|diff|test|\[|head|tail|git (?:diff|status|log|show|grep|rev-parse|check-ignore)|command -v|curl|ping|rm|pkill|kill|sed|wc|stat|type)\b/;

/** Returns the failure of the last thing that a turn did, if its answer is glad and says nothing about it. */
function silentFailure({ steps }: Turn, { text }: Step): Pick<Unseen, 'claimed' | 'seen' | 'proofs'> | undefined {
  const last = steps.flatMap(({ calls }) => calls).findLast((call) => !isLocal(call) || isFailed(call));
  if (last === undefined || !isFailed(last) || LOOKS.test(last.command ?? '') || !DONE.test(text) || TROUBLE.test(text))
    return undefined;
  const claimed = text.split('\n')[0]?.slice(0, 160) ?? '';
  return { claimed, seen: 'the last call failed, and the answer does not mention it', proofs: [proofOf(last)] };
}

function isFailed({ result, tool }: Call): boolean {
  return result?.failed === true && !/^(?:read|grep|glob|ls|todowrite)$/i.test(tool);
}

interface Course {
  /** All calls so far, of earlier turns too. */
  readonly calls: readonly Call[];
  readonly turn: Turn;
  readonly answer: Step;
}

type Contradiction = Pick<Unseen, 'seen' | 'proofs'>;

function contradiction({ kind, sentence }: Claim, course: Course): Contradiction | undefined {
  switch (kind) {
    case 'commit':
      return withoutCommand(
        course,
        /\bgit\b[^;&|\n]*\b(?:commit|merge|rebase|cherry-pick|revert|am)\b|\bjj\b|\bgh\b|\bgt\b/,
        'no commit succeeded',
      );
    case 'push':
      return withoutCommand(course, /\bgit\b[^;&|\n]*\bpush\b|\bgh\b|\bjj\b|\bgt\b/, 'no push succeeded');
    case 'deploy':
      return withoutCommand(course, /\S/, 'no command ran');
    case 'all-done':
      return openTodos(course);
    default:
      return unchecked(kind, sentence, course);
  }
}

/** Returns whether the claimed command never succeeded. Other tools than the shell may have done it unseen. */
function withoutCommand({ turn, calls }: Course, command: RegExp, seen: string): Contradiction | undefined {
  const own = turn.steps.flatMap((step) => step.calls);
  if (own.some((call) => call.command === undefined && !isLocal(call))) return undefined;
  const matching = calls.filter((call) => call.command !== undefined && command.test(call.command));
  if (matching.some(({ result }) => result !== undefined && !result.failed)) return undefined;
  const last = matching.at(-1);
  return { seen, proofs: last === undefined ? [] : [proofOf(last)] };
}

const LOCAL =
  /^(?:read|grep|glob|ls|edit|multiedit|write|notebookedit|todowrite|task(?:create|update|list|get)|update_plan|websearch|webfetch|askuserquestion|enterplanmode|exitplanmode|view_image|think)$/i;

/** Returns whether a tool can only read, edit or plan. */
function isLocal({ tool, writes }: Call): boolean {
  return writes !== undefined || LOCAL.test(tool);
}

function openTodos({ turn, calls }: Course): Contradiction | undefined {
  const last = calls.findLast(
    ({ tool, result }) => /^(?:todowrite|update_plan|todo_write)$/i.test(tool) && result !== undefined,
  );
  // A list that this turn did not touch belongs to other work.
  if (last === undefined || !turn.steps.some((step) => step.calls.includes(last))) return undefined;
  const input = rowOf(jsonOf(last.input));
  const items = rowsOf(input.todos ?? input.plan);
  const open = items.filter(({ status }) => status === 'pending');
  if (open.length === 0) return undefined;
  const text = open.map(({ content, step }) => String(content ?? step)).join('; ');
  return {
    seen: `${open.length} of ${items.length} items of its list are open`,
    proofs: [{ line: last.line, text: text.slice(0, 200) }],
  };
}

/** Files that no check reads. */
const NO_CODE =
  /\.(?:md|mdx|txt|rst|adoc|log|png|svg|csv)$|(?:^|\/)(?:LICENSE|CHANGELOG|README|\.gitignore|\.env[\w.]*)$|^\/tmp\/|\/\.claude\/plans\//i;

function isEdit({ writes, result }: Call): boolean {
  return writes !== undefined && !NO_CODE.test(writes) && result !== undefined && !result.failed;
}

const WORDS: Readonly<Record<CheckKind, string>> = {
  tests: 'tests',
  lint: 'linter',
  build: 'build',
  types: 'type check',
};

/** Returns what speaks against a claim about a check: it failed, ran before the last edit, or never ran. */
function unchecked(kind: CheckKind, sentence: string, { calls, turn }: Course): Contradiction | undefined {
  // A person who pastes output of a run has shown it.
  if (turn.request && /\bPASS\b|^ok\s|passed|--- PASS/im.test(turn.request.text)) return undefined;
  const edits = turn.steps.flatMap((step) => step.calls).filter(isEdit);
  const runs = calls.filter((call) => call.result !== undefined && isRunOf(kind, call));
  const last = runs.at(-1);
  if (last === undefined) {
    const edit = edits.at(-1);
    if (edit === undefined || mayRunElsewhere(calls)) return undefined;
    return { seen: `no ${WORDS[kind]} ran in this session`, proofs: [proofOf(edit)] };
  }
  const result = resultOf(kind, last);
  if (result === 'failed' && isClearFailure(kind, last))
    return { seen: `the last ${WORDS[kind]} run failed`, proofs: [proofOf(last)] };
  if (result === 'nothing-ran') return { seen: 'the last run ran no tests', proofs: [proofOf(last)] };
  const edit = edits.at(-1);
  if (edit === undefined) return undefined;
  if (calls.indexOf(edit) < calls.indexOf(last))
    return kind === 'tests' ? tooNarrow(sentence, runs, calls.slice(calls.indexOf(edit))) : undefined;
  if (mayRunElsewhere(calls.slice(calls.indexOf(edit)))) return undefined;
  return { seen: `no ${WORDS[kind]} ran after the last edit`, proofs: [proofOf(last), proofOf(edit)] };
}

const NARROW =
  /\s-(?:run|k|t)[ =]|--(?:grep|filter|testNamePattern|match|test-name-pattern)[ =]|::\w|\.(?:test|spec)\.\w+|_test\.\w+|\btest_\w+\.py/;
const ALL = /\ball (?:the |of the |\d+ )?tests\b|\bfull test suite\b|\ball tests\b/i;

/** Returns what speaks against "all tests pass" if only named tests ran after the last edit. */
function tooNarrow(sentence: string, runs: readonly Call[], since: readonly Call[]): Contradiction | undefined {
  const own = runs.filter((run) => since.includes(run));
  // A number names the tests that are meant: "all 7 tests pass" after a file of seven.
  if (
    !ALL.test(sentence) ||
    /\d/.test(sentence) ||
    own.length === 0 ||
    !own.every(({ command = '' }) => NARROW.test(command))
  )
    return undefined;
  if (mayRunElsewhere(since)) return undefined;
  return { seen: 'only named tests ran after the last edit', proofs: own.slice(-2).map(proofOf) };
}

function isRunOf(kind: CheckKind, { command, result }: Call): boolean {
  if (command === undefined) return false;
  if (checksOf(command).has(kind)) return true;
  // Scripts of a project run checks under names of their own; their output says so.
  return (
    RUN_SEEN[kind].test(result?.text ?? '') &&
    !/^\s*(?:cat(?!\s*>)|grep|rg|sed|head|tail|git|gh|ls|find)\b/.test(command) &&
    // A script that its own command writes is no check of the project.
    !/<<-?\s*['"]?\w/.test(command)
  );
}

const RUN_SEEN: Readonly<Record<CheckKind, RegExp>> = {
  tests:
    /^ok\s+\S+\s+[\d.(]|^--- (?:PASS|FAIL)|\b\d{1,7} (?:tests? )?passed\b|\b\d{1,7} passing|test result: |\ball tests pass/im,
  lint: /\b\d+ issues?\b|eslint|golangci-lint|All checks passed/i,
  build: /built in|BUILD SUCCESS|Compiled successfully/i,
  types: /error TS\d+|Found \d+ errors?/i,
};

/** Returns whether a sub-agent, a server's tool or a commit hook may have run the check unseen. */
function mayRunElsewhere(calls: readonly Call[]): boolean {
  return calls.some(
    (call) =>
      (call.command === undefined && !isLocal(call)) ||
      /\bgit\b[^;&|\n]*\b(?:commit|push)\b(?![^;&|\n]*--no-verify)/.test(call.command ?? '') ||
      /\b(?:gh (?:run|pr checks)|act)\b/.test(call.command ?? ''),
  );
}

/** Returns whether a failed run is one of this check alone, or names failures in its own words. */
function isClearFailure(kind: CheckKind, { command = '', result }: Call): boolean {
  return (
    checksOf(command).size === 1 ||
    (kind === 'tests' && /^\s*--- FAIL|^FAIL\b|\b[1-9]\d* failed/m.test(result?.text ?? ''))
  );
}

const PROOF_CHARS = 160;

function proofOf({ command, writes, tool, result, line }: Call): Proof {
  const what = command ?? writes ?? tool;
  const telling = result?.text.split('\n').find((text) => /\bFAIL|error|failed|issues?:|no tests/i.test(text));
  const text = telling === undefined || writes !== undefined ? what : `${what}: ${telling.trim()}`;
  return { line: result?.line ?? line, text: text.replace(/\s+/g, ' ').slice(0, PROOF_CHARS) };
}
