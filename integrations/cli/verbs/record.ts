import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { LoopError, Observer, type Outcome } from 'rsi-loop';
import { timedId } from '../../sources/timed-id.js';
import { EXIT } from '../exit.js';
import { shownStore } from '../store/database.js';
import { openOrCreate } from '../store/open-store.js';
import { print } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, numberOption, type ReadOptions, storeOption, verb } from '../verb.js';

interface Options extends ReadOptions {
  readonly ok?: true;
  readonly error?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly severity?: string;
  readonly issue?: readonly string[];
  readonly agent?: string;
  readonly session?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  readonly at?: number;
  readonly context?: object;
}

/** The verb `rsi record <task>`: records a failure or a success by hand. */
export const record = verb<Options, string>({
  description:
    'Records one outcome in the folder of a loop, which is created if it is missing. It is a failure unless --ok is given. Report successes too: without them the failure rate of a task is unknown. Record what runs in a program there instead, and read existing logs with rsi import.',
  examples: [
    ['record deploy --error "timed out"', 'a failure'],
    ['record deploy --ok', 'a success'],
    ['record digest --expected "5 points" --actual "2"', 'a wrong result'],
  ],
  options: [
    storeOption(),
    new Option('--ok', 'it succeeded'),
    new Option('--error <text>', 'the message it failed with'),
    new Option('--expected <text>', 'the result that was expected'),
    new Option('--actual <text>', 'the result instead'),
    new Option('--severity <level>', 'how bad it was').choices(['low', 'medium', 'high', 'critical']),
    new Option('--issue <name...>', 'the kind of failure, such as incomplete_task; default: read from the texts'),
    new Option('--agent <name>', 'the agent that ran the task'),
    new Option('--session <id>', 'the session it belongs to'),
    new Option('--model <name>', 'the model that answered'),
    new Option('--tool <name>', 'the tool that was used'),
    numberOption('--duration-ms <number>', 'how long it took', { min: 0, max: 1e12, decimals: true }),
    new Option('--at <when>', 'when it ended, such as 2025-10-03T14:05:00Z (default: now)').argParser(parseMoment),
    new Option('--context <json>', 'more about it, an object such as {"branch": "main"}').argParser(parseContext),
    jsonOption(),
  ],
  run: async ({ store: folder, json, ...options }, task) => {
    if (options.ok && (options.error !== undefined || options.actual !== undefined)) {
      throw new LoopError('invalid-input', '--ok records a success, --error and --actual a failure: give one of them');
    }
    if (task.trim() === '') throw new LoopError('invalid-input', 'the task is empty: name what was done');
    const outcome = outcomeOf(task, options);
    await writeOutcome(folder, outcome);
    await print({ document: { format: 'rsi-report/1', outcome }, text: recordedWords(outcome, folder) }, json);
    return EXIT.done;
  },
});

async function writeOutcome(folder: string, outcome: Outcome): Promise<void> {
  const store = await openOrCreate(folder);
  let problem: string | undefined;
  store.onProblem(({ kind, message }) => {
    // Other unreadable data in the folder does not prevent this record from being written.
    if (kind === 'failing' || kind === 'dropped') problem = message;
  });
  try {
    store.journal.append([{ kind: 'outcome', outcome }]);
    await store.journal.flush();
    if (problem !== undefined) throw new LoopError('store-failed', `nothing was recorded: ${problem}`);
  } finally {
    await store.close();
  }
}

/** Builds an outcome, classified, redacted and shortened like everything a loop records. */
function outcomeOf(task: string, options: Omit<Options, keyof ReadOptions>): Outcome {
  const { ok, error, expected, actual, severity, issue, durationMs, at, ...names } = options;
  const found: Outcome[] = [];
  const observer = new Observer({
    clock: { now: () => at ?? Date.now() },
    newId: (atMs) => timedId(atMs, randomBytes(9).toString('hex')),
    into: { take: (outcome) => found.push(outcome) },
    report: ({ message }) => {
      throw new LoopError('invalid-input', message);
    },
    source: 'report',
    isSaid: true,
  });
  const given = { expected, actual, severity, issues: issue, durationMs, ...names };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (ok) observer.record({ ...known, task, success: true });
  else if (error !== undefined) observer.record({ ...known, task, success: false, error });
  else observer.recordFailure({ ...known, task });
  const [outcome] = found;
  if (!outcome) throw new LoopError('invalid-input', 'not an outcome: name the task and what went wrong');
  return { ...outcome, ...(at !== undefined && { atMs: at }) };
}

function recordedWords({ task, success, issues, id }: Outcome, folder: string): string {
  const how = success ? 'succeeded' : `failed: ${issues.map(plain).join(', ')}`;
  return `${plain(task)} ${how}\nrecorded as ${plain(id)} in ${plain(shownStore(folder))}\n`;
}

function parseContext(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('This is not JSON. Give an object such as {"branch": "main"}.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new InvalidArgumentError('Give a JSON object such as {"branch": "main"}.');
}

function parseMoment(text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('Give a time such as 2025-10-03T14:05:00Z.');
  return atMs;
}
