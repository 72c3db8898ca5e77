import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { LoopError, Observer, type Outcome } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { timedId } from '../../sources/import/outcome-collector.js';
import { DEFAULT_STORE } from '../store/next-command.js';
import { makeStore, reportingErrors } from '../store/open-loop.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
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
  readonly json?: true;
}

/** The verb `rsi report <task>`: records a failure or a success by hand. */
export const report: Verb = {
  register(program, done) {
    program
      .command('report')
      .summary('one failure that somebody noticed, or a success')
      .description(
        'Records one outcome in the folder of a loop, which is made if it is not there. A failure unless --ok says otherwise. Report successes too: without them nobody can say how often a task fails. What ran in a program is better recorded there; logs that are already there are read by rsi import.',
      )
      .addHelpText(
        'after',
        examples(
          ['report deploy --error "health check timed out"', 'a failure'],
          ['report deploy --ok', 'a success'],
          ['report digest --expected "five points" --actual "two points"', 'what went wrong'],
        ),
      )
      .argument('<task>', 'the name of the task, such as deploy: the same for every time it is done')
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--ok', 'it succeeded')
      .option('--error <text>', 'the message it failed with')
      .option('--expected <text>', 'what should have come out')
      .option('--actual <text>', 'what came out instead')
      .addOption(new Option('--severity <level>', 'how bad it was').choices(['low', 'medium', 'high', 'critical']))
      .option('--issue <name...>', 'what went wrong in a word, such as incomplete_task; else it is read from the texts')
      .option('--agent <name>', 'who did it')
      .option('--session <id>', 'the session it belongs to')
      .option('--model <name>', 'the model that answered')
      .option('--tool <name>', 'the tool that was used')
      .option('--duration-ms <number>', 'how long it took', parseDuration)
      .option('--at <when>', 'when it ended, such as 2025-10-03T14:05:00Z (default: now)', parseMoment)
      .option('--context <json>', 'more about it, an object such as {"branch": "main"}', parseContext)
      .option('--json', 'print the outcome as JSON instead')
      .action(async (task: string, options: Options, command: Command) => {
        if (options.ok && (options.error !== undefined || options.actual !== undefined)) {
          command.error('error: --ok says that it succeeded, --error and --actual that it did not: give one of them');
        }
        done(await reportingErrors(() => run(task, options)));
      });
  },
};

async function run(task: string, { store: folder, json, ...options }: Options): Promise<ExitCode> {
  if (task.trim() === '') throw new LoopError('invalid-input', 'the task is empty: name what was done');
  await makeStore(folder);
  const outcome = outcomeOf(task, options);
  const store = new FileStore(folder);
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
  await write(process.stdout, json ? `${plainJson({ format: 'rsi-report/1', outcome })}\n` : said(outcome, folder));
  return EXIT.done;
}

/** Builds an outcome, classified, redacted and shortened like everything a loop records. */
function outcomeOf(task: string, options: Omit<Options, 'store' | 'json'>): Outcome {
  const { ok, error, expected, actual, severity, issue, durationMs, at, ...names } = options;
  const found: Outcome[] = [];
  const observer = new Observer({
    clock: { now: () => at ?? Date.now() },
    newId: (atMs) => timedId(atMs, randomBytes(9).toString('hex')),
    emit: (outcome) => found.push(outcome),
    report: ({ message }) => {
      throw new LoopError('invalid-input', message);
    },
    source: 'report',
  });
  const said = { expected, actual, severity, issues: issue, durationMs, ...names };
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  if (ok) observer.record({ ...known, task, success: true });
  else if (error !== undefined) observer.record({ ...known, task, success: false, error });
  else observer.recordFailure({ ...known, task });
  const [outcome] = found;
  if (!outcome) throw new LoopError('invalid-input', 'this is no outcome: name the task and what went wrong');
  return { ...outcome, ...(at !== undefined && { atMs: at }) };
}

function said({ task, success, issues, id }: Outcome, folder: string): string {
  const how = success ? 'succeeded' : `failed: ${issues.map(plain).join(', ')}`;
  return `${plain(task)} ${how}\nrecorded as ${plain(id)} in ${plain(folder)}\n`;
}

function parseDuration(text: string): number {
  const duration = Number(text);
  if (!(duration >= 0 && duration < Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError('Give milliseconds from 0 on.');
  return duration;
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
