import type { Change } from 'rsi-loop';
import { hash } from '../hash.js';

/** Step that a line asks for and that the calls of a session can show. */
export type Demand =
  /** Runs a command after the last edit. */
  | { readonly kind: 'run'; readonly command: string }
  /** Uses one command and not another. */
  | { readonly kind: 'prefer'; readonly use: string; readonly instead: string }
  /** Calls a tool. */
  | { readonly kind: 'call'; readonly tool: string }
  /** Reads each file before it edits it; with `again`, also between two edits of it. */
  | { readonly kind: 'read-first'; readonly again?: true }
  /** Opens the file of a skill. */
  | { readonly kind: 'open'; readonly path: string };

/** Sign for a line in one session: followed, not followed, or not shown by its calls. */
export type Followed = 'y' | 'n' | '-';

const NAME = '`([^`\\n]{2,80})`';
const PREFER = new RegExp(
  `\\b(?:use|run|prefer)\\s+${NAME}[^\`.]{0,30}\\b(?:not|instead of|rather than|never|over)\\s+${NAME}`,
  'i',
);
const RUN = new RegExp(`\\b(?:run|execute|check with|verify with|test with)\\b[^\`.]{0,40}${NAME}`, 'i');
const CALL = new RegExp(
  `\\b(?:call|query)\\s+(?:the\\s+)?(?:(?:tool|function)\\s+)?${NAME}|\\buse\\s+(?:the\\s+)?(?:tool\\s+)?${NAME}[^.]{0,20}\\b(?:before|first)\\b`,
  'i',
);
const TOOL_NAME = /^\w[\w.-]*$/;
const NEGATED = /\b(?:never|not|don['’]t|avoid|without)\b[^`.]{0,30}$/i;
const READ_FIRST =
  /\bread\b[^.]{0,60}\bbefore\b[^.]{0,40}\b(?:edit|chang|writ|modif)|\bbefore\b[^.]{0,30}\b(?:edit|overwrit|chang|modif|replac)[^.]{0,60}\bread\b/i;
const OF_FILES = /\b(?:files?|code|it)\b/i;
const READ_AGAIN = /\bafter you read\b[^.]{0,40}\bread\b[^.]{0,60}\bagain\b[^.]{0,30}\bedit/i;
/** Words for a moment that few sessions meet. Their calls do not show whether the line concerned them. */
const CONDITION = /^[\s*+-]*(?:when|if|whenever)\b(?![^,]{0,40}\b(?:edit\w*|finish\w*|done)\b)/i;
/** Beginning of a rule for the tasks of one name, of which a trial counts no others. */
const OF_TASK = /^Whenever you do this task|^When you work on “[^”]{1,80}”/;

/** Returns the step that a line asks for; undefined if calls cannot show it. */
export function demandOf(line: string): Demand | undefined {
  const text = withMarkedNames(line.replace(OF_TASK, ''));
  if (READ_AGAIN.test(text)) return { kind: 'read-first', again: true };
  if (CONDITION.test(text)) return undefined;
  const prefer = PREFER.exec(text);
  if (prefer?.[1] !== undefined && prefer[2] !== undefined)
    return { kind: 'prefer', use: prefer[1], instead: prefer[2] };
  const called = named(CALL, text);
  if (called !== undefined)
    return TOOL_NAME.test(called) ? { kind: 'call', tool: called } : { kind: 'run', command: called };
  const command = named(RUN, text);
  if (command !== undefined && !command.endsWith('/')) return { kind: 'run', command };
  return READ_FIRST.test(text) && OF_FILES.test(text) && !/\bagain\b/i.test(text) ? { kind: 'read-first' } : undefined;
}

/** Returns the steps that a change asks of an agent: its rule, or the lines that its version of a text adds. */
export function demandsOf(change: Change): readonly Demand[] {
  if (!('text' in change)) return [];
  if (!('version' in change)) return [demandOf(change.text)].filter((demand) => demand !== undefined);
  const before = new Set(change.undo.text.split('\n'));
  const added = change.text.split('\n').filter((line) => !before.has(line));
  return added.flatMap((line) => demandOf(line) ?? []);
}

function named(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text);
  return found && !NEGATED.test(text.slice(0, found.index)) ? (found[1] ?? found[2]) : undefined;
}

const QUOTED = /[“"](\w[\w@./:=-]*(?: [\w@./:=-]+){0,7})[”"]/g;
const PROGRAMS =
  'npm|pnpm|yarn|npx|bun|deno|make|cargo|go|pytest|tox|ruff|mypy|tsc|eslint|gradle|mvn|dotnet|composer|rake';
const ENDS =
  'before|after|when|if|to|in|on|for|and|or|first|again|until|once|instead|rather|not|never|over|every|each|with|at|from|by|as|so|that|the|commands?';
/** Command without marks, after a word that asks for it: rules hold no code. */
const PLAIN = new RegExp(
  `\\b(run|use|execute|prefer|instead of|rather than|not|never|over) ((?:${PROGRAMS})(?: (?!(?:${ENDS})\\b)[\\w@./:=-]*[\\w@/=-]){0,4})`,
  'gi',
);
/** Word without marks. With a `_` inside, it is the name of a tool. */
const WORD = /(?<![`\w])[a-z]\w*(?![`\w])/gi;

function markedName(word: string): string {
  return word.includes('_') && !word.endsWith('_') ? `\`${word}\`` : word;
}

/** Marks names of commands and tools as code. */
function withMarkedNames(line: string): string {
  if (line.includes('`')) return line;
  return line.replace(QUOTED, '`$1`').replace(WORD, markedName).replace(PLAIN, '$1 `$2`');
}

const EDITS = /^(?:edit|multiedit|notebookedit|apply_patch|str_replace\w*|edit_file|replace)$/i;
const WRITES = /^(?:write|write_file|create_file)$/i;
const READS = /^(?:read|read_file|view|notebookread)$/i;
const RUNS = /^(?:bash|shell|exec\w*|run_\w+|terminal|local_shell|unified_exec)$/i;
const PATHS = ['file_path', 'path', 'notebook_path', 'absolute_path', 'filePath'] as const;
/** Step of a command that the record of its call does not hold. */
const UNKNOWN = 'u';

/** Call of a tool, as far as its steps need it. */
export interface SeenCall {
  readonly tool: string;
  readonly input: unknown;
  readonly hasFailed?: boolean;
}

/**
 * Returns what a call shows about the demands of its session, as words for its notes: `r`, `e`, `w` and `x` for files
 * that were read, edited, written or could not be edited, `c` and `n` for steps that a demand asks for or forbids.
 */
export function stepsOf({ tool, input, hasFailed = false }: SeenCall, demands: readonly Demand[]): readonly string[] {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}; // read as unknown
  const path = PATHS.map((name) => fields[name]).find((value) => typeof value === 'string');
  const { command, cmd = command } = fields;
  const typed = Array.isArray(cmd) ? cmd.join(' ') : cmd;
  const { letter, isFile } = kindOf(tool, hasFailed);
  return [
    ...(letter !== undefined && isFile ? [`${letter}${typeof path === 'string' ? hash(path).slice(0, 8) : ''}`] : []),
    ...(RUNS.test(tool) && typeof typed !== 'string' ? [UNKNOWN] : []),
    ...demands.flatMap((demand, index) => {
      const opens = letter === 'r' ? opened(demand, path, index) : [];
      return [...(demand.kind === 'call' && isNamed(tool, demand.tool) ? [`c${index}`] : []), ...opens];
    }),
    ...(typeof typed === 'string' && !isFile ? demands.flatMap((one, index) => typedSteps(one, typed, index)) : []),
  ];
}

function kindOf(tool: string, hasFailed: boolean): { readonly letter?: string; readonly isFile: boolean } {
  const letter = EDITS.test(tool) ? 'e' : WRITES.test(tool) ? 'w' : READS.test(tool) ? 'r' : undefined;
  if (letter === undefined) return { isFile: false };
  if (!hasFailed) return { letter, isFile: true };
  return letter === 'r' ? { isFile: true } : { letter: 'x', isFile: true };
}

function typedSteps(demand: Demand, typed: string, index: number): readonly string[] {
  switch (demand.kind) {
    case 'run':
      return has(typed, demand.command) ? [`c${index}`] : [];
    case 'call':
      return has(typed, demand.tool) ? [`c${index}`] : [];
    case 'open':
      return opened(demand, typed, index);
    case 'prefer':
      return [...(has(typed, demand.use) ? [`c${index}`] : []), ...(has(typed, demand.instead) ? [`n${index}`] : [])];
    case 'read-first':
      return [];
    default:
      return demand satisfies never;
  }
}

/** Returns for each demand whether the steps of a session show that it was followed. */
export function followed(demands: readonly Demand[], steps: readonly string[]): readonly Followed[] {
  return demands.map((demand, index): Followed => {
    const used = steps.lastIndexOf(`c${index}`);
    switch (demand.kind) {
      case 'read-first':
        return demand.again ? readAgain(steps) : readFirst(steps);
      case 'run':
        return ranLast(steps, used);
      case 'prefer':
        // Without either command, nothing shows whether the line was followed.
        return steps.includes(`n${index}`) ? 'n' : used < 0 ? '-' : 'y';
      default:
        return used >= 0 ? 'y' : 'n';
    }
  });
}

/** Returns the sign of a rule or a text from those of its demands. */
export function signOfAll(signs: readonly Followed[]): Followed {
  return signs.includes('n') ? 'n' : signs.includes('y') ? 'y' : '-';
}

function ranLast(steps: readonly string[], used: number): Followed {
  const lastEdit = steps.findLastIndex((step) => /^[ew]/.test(step));
  if (lastEdit < 0) return '-';
  if (used > lastEdit) return 'y';
  return steps.lastIndexOf(UNKNOWN) > lastEdit ? '-' : 'n';
}

/** A session without a file that was read shows nothing: its agent may read by commands. */
function readFirst(steps: readonly string[]): Followed {
  const known = new Set<string>();
  let sign: Followed = '-';
  let isUnread = false;
  for (const step of steps) {
    const place = step.slice(1);
    if (place === '') continue;
    if (/^[ex]/.test(step)) {
      if (known.has(place)) sign = 'y';
      else isUnread = true;
    }
    if (/^[rw]/.test(step)) known.add(place);
  }
  const hasRead = steps.some((step) => step.startsWith('r') && step !== 'r');
  return isUnread ? (hasRead ? 'n' : '-') : sign;
}

/** Only a file that was edited twice shows it. */
function readAgain(steps: readonly string[]): Followed {
  const edited = new Map<string, 'e' | 'r'>();
  let sign: Followed = '-';
  for (const step of steps) {
    const place = step.slice(1);
    if (place === '') continue;
    if (step.startsWith('r') && edited.has(place)) edited.set(place, 'r');
    if (!step.startsWith('e')) continue;
    const last = edited.get(place);
    if (last === 'e') return 'n';
    if (last === 'r') sign = 'y';
    edited.set(place, 'e');
  }
  return sign;
}

function opened(demand: Demand, path: unknown, index: number): readonly string[] {
  return demand.kind === 'open' && typeof path === 'string' && path.includes(demand.path) ? [`c${index}`] : [];
}

/** Whether a tool has a name, also behind that of its server: `mcp__shop__find_order`. */
function isNamed(tool: string, name: string): boolean {
  return tool === name || tool.endsWith(`__${name}`) || tool.endsWith(`.${name}`);
}

/** Whether a command line holds a command as words of its own. */
function has(typed: string, command: string): boolean {
  const at = typed.indexOf(command);
  if (at < 0) return false;
  return !/[\w-]/.test(typed[at - 1] ?? ' ') && !/[\w-]/.test(typed[at + command.length] ?? ' ');
}
