import { hash } from '../../sources/hash.js';

/** Step that a line asks for and that the calls of a session can show. */
export type Demand =
  /** Runs a command after the last edit. */
  | { readonly kind: 'run'; readonly command: string }
  /** Uses one command and not another. */
  | { readonly kind: 'prefer'; readonly use: string; readonly instead: string }
  /** Reads each file before it edits it. */
  | { readonly kind: 'read-first' }
  /** Opens the file of a skill. */
  | { readonly kind: 'open'; readonly path: string };

/** Sign for a line in one session: followed, not followed, or not shown by its calls. */
export type Followed = 'y' | 'n' | '-';

const NAME = '`([^`\\n]{2,80})`';
const PREFER = new RegExp(
  `\\b(?:use|run|prefer)\\s+${NAME}[^\`.]{0,30}\\b(?:not|instead of|rather than|never|over)\\s+${NAME}`,
  'i',
);
const RUN = new RegExp(`\\b(?:run|execute|call|check with|verify with|test with)\\b[^\`.]{0,40}${NAME}`, 'i');
const NEGATED = /\b(?:never|not|don['’]t|avoid)\b[^`.]{0,30}$/i;
const READ_FIRST = /\bread\b[^.]{0,60}\bbefore\b[^.]{0,40}\b(?:edit|chang|writ|modif)/i;

/** Returns the step that a line asks for; undefined if calls cannot show it. */
export function demandOf(line: string): Demand | undefined {
  const prefer = PREFER.exec(line);
  if (prefer?.[1] !== undefined && prefer[2] !== undefined)
    return { kind: 'prefer', use: prefer[1], instead: prefer[2] };
  const run = RUN.exec(line);
  if (run?.[1] !== undefined && !NEGATED.test(line.slice(0, run.index))) return { kind: 'run', command: run[1] };
  return READ_FIRST.test(line) ? { kind: 'read-first' } : undefined;
}

const EDITS = /^(?:edit|multiedit|notebookedit|apply_patch|str_replace\w*|edit_file|replace)$/i;
const WRITES = /^(?:write|write_file|create_file)$/i;
const READS = /^(?:read|read_file|view|notebookread)$/i;
const PATHS = ['file_path', 'path', 'notebook_path', 'absolute_path'] as const;

/** Returns what a call that succeeded shows about the demands of its session, as words for its notes. */
export function stepsOf(tool: string, input: unknown, demands: readonly Demand[]): readonly string[] {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}; // read as unknown
  const path = PATHS.map((name) => fields[name]).find((value) => typeof value === 'string');
  const place = typeof path === 'string' ? hash(path).slice(0, 8) : '';
  if (EDITS.test(tool)) return [`e${place}`];
  if (WRITES.test(tool)) return ['w'];
  if (READS.test(tool)) return [`r${place}`, ...demands.flatMap((demand, index) => opened(demand, path, index))];
  const { command } = fields;
  const typed = Array.isArray(command) ? command.join(' ') : command;
  if (typeof typed !== 'string') return [];
  return demands.flatMap((demand, index) => {
    if (demand.kind === 'run') return has(typed, demand.command) ? [`c${index}`] : [];
    if (demand.kind === 'open') return opened(demand, typed, index);
    if (demand.kind !== 'prefer') return [];
    return [...(has(typed, demand.use) ? [`c${index}`] : []), ...(has(typed, demand.instead) ? [`n${index}`] : [])];
  });
}

/** Returns for each demand whether the steps of a session show that it was followed. */
export function followed(demands: readonly Demand[], steps: readonly string[]): readonly Followed[] {
  const lastEdit = steps.findLastIndex((step) => step.startsWith('e') || step === 'w');
  return demands.map((demand, index): Followed => {
    const used = steps.lastIndexOf(`c${index}`);
    if (demand.kind === 'read-first') return readFirst(steps);
    if (demand.kind === 'prefer' && steps.includes(`n${index}`)) return 'n';
    if (demand.kind === 'run') return lastEdit < 0 ? '-' : signOf(used > lastEdit);
    // Without either command, nothing shows whether the line was followed.
    return demand.kind === 'prefer' && used < 0 ? '-' : signOf(used >= 0);
  });
}

function signOf(isFollowed: boolean): Followed {
  return isFollowed ? 'y' : 'n';
}

function readFirst(steps: readonly string[]): Followed {
  const known = new Set<string>();
  let hasEdited = false;
  for (const step of steps) {
    const place = step.slice(1);
    if (step.startsWith('r')) known.add(place);
    if (!step.startsWith('e')) continue;
    if (!known.has(place)) return 'n';
    hasEdited = true;
  }
  return hasEdited ? 'y' : '-';
}

function opened(demand: Demand, path: unknown, index: number): readonly string[] {
  return demand.kind === 'open' && typeof path === 'string' && path.includes(demand.path) ? [`c${index}`] : [];
}

/** Whether a command line holds a command as words of its own. */
function has(typed: string, command: string): boolean {
  const at = typed.indexOf(command);
  if (at < 0) return false;
  return !/[\w-]/.test(typed[at - 1] ?? ' ') && !/[\w-]/.test(typed[at + command.length] ?? ' ');
}
