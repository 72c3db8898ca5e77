import { join } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { type CodeChange, readiness, waitingVersion } from 'rsi-loop/improve';
import { approve, mustBeProven, recordApproval, reject } from '../../reports/approve-version.js';
import { type FoundVersion, findVersion, newest, readImprovements } from '../../reports/kept-improvements.js';
import { loadBenchFile, suiteNamed } from '../bench/bench-file.js';
import type { Configuration } from '../config/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { findChange, mergeVersion, noticeExposed, personOf, withProject } from '../improve/code-changes.js';
import { type ImproveSettings, ImproveWork, lockName } from '../improve/improve-work.js';
import { changeReport, changesReport } from '../improve/render-changes.js';
import { archiveReport, statusReport, versionReport } from '../improve/render-improve.js';
import { isLocked } from '../services/lock.js';
import { userName } from '../store/user-name.js';
import { lookAt } from '../terminal/look.js';
import { print, prose, type Report } from '../terminal/output.js';
import { jsonOption, numberOption, verb } from '../verb.js';

interface Options extends ImproveSettings {
  readonly file?: string;
  readonly suite?: string;
  readonly by?: string;
  readonly reason?: string;
}

type Action = (options: Options, names: readonly string[], config: () => Promise<Configuration>) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = {
  status,
  once: async (options, names, config) => {
    mustBeNone('once', names);
    return (await workOf(options, await config())).once();
  },
  loop: async (options, names, config) => {
    const rounds = roundsFrom(names);
    return (await workOf(options, await config())).loop(rounds);
  },
  archive: async (options, names) => {
    mustBeNone('archive', names);
    const all = await readImprovements(options.runs, options.suite);
    return printReport(archiveReport(newest(all, options.runs), lookAt(process.stdout)), options);
  },
  show: async (options, [id], config) => {
    const look = lookAt(process.stdout);
    const change = await findChange(await config(), id);
    if (change) {
      const diff = await withProject(await config(), (project) => project.diff(change));
      return printReport(changeReport(change, diff, look), options);
    }
    const found = findVersion(await readImprovements(options.runs, options.suite), id);
    return printReport(versionReport(found, look), options);
  },
  changes: async (options, names, config) => {
    mustBeNone('changes', names);
    const changes = await withProject(await config(), (project) => project.changes());
    await print(changesReport(changes, lookAt(process.stdout)), options.json);
    return changes.some(({ status }) => status === 'waiting') ? EXIT.attention : EXIT.done;
  },
  approve: async (options, [id], config) => {
    const change = await findChange(await config(), id);
    if (change) return decideOnCode('approve', change, options, await config());
    const { runs: folder, write: file } = options;
    const found = findVersion(await readImprovements(folder, options.suite), id);
    if (Object.keys(found.version.variant.code ?? {}).length > 0) return mergeCode(found, options, await config());
    const document = await approve(found, decidingOf(options), { folder, file });
    return printReport(
      { document, text: prose(`version ${document.version} is approved and written to ${file}`) },
      options,
    );
  },
  reject: async (options, [id], config) => {
    const change = await findChange(await config(), id);
    if (change) return decideOnCode('reject', change, options, await config());
    const found = findVersion(await readImprovements(options.runs, options.suite), id);
    await reject(found, decidingOf(options), options.runs);
    const { id: version } = found.version;
    const text = prose(`version ${version} is rejected; the next round continues from the version before it`);
    return printReport({ document: { format: 'rsi-improve-rejected/1', version }, text }, options);
  },
  rollback: async (options, [id], config) => {
    const change = await findChange(await config(), id);
    if (change) return decideOnCode('rollback', change, options, await config());
    await withProject(await config(), async () => undefined);
    throw new LoopError('invalid-input', `there is no change of code ${id ?? ''}: "improve changes" lists them`);
  },
};

/** The verb `rsi improve`: improves the agent of the project on its benchmark. */
export const improveVerb = verb<Options, readonly string[]>({
  description:
    'Improves the agent on a suite of rsi.bench.ts, which also exports improve: { propose }. once runs one round; loop <n> runs rounds until there are n; the same command continues an interrupted one. status shows how far it is, and whether it may run unattended; archive prints the tree of versions, and show <id> one of them. A version that is proven better waits for a person: approve <id> writes it to a file that the agent loads, reject <id> needs a --reason. With improve: { project } in rsi.config.ts, approve merges a version that changes files as one commit, and changes, show, approve, reject and rollback also decide on patches of rsi-loop/heal. Exit code 1 means that a version waits.',
  examples: [
    ['improve once', 'one round: propose, try, prove'],
    ['improve loop 10', 'until there are ten rounds'],
    ['improve show 5889250b', 'texts, hypotheses and proof of a version'],
    ['improve approve 5889250b', 'write it to ./rsi.approved.json'],
    ['improve changes', 'changes of code that wait for a person'],
  ],
  options: [
    new Option('--file <file>', 'the file with the benchmarks'),
    new Option('--suite <name>', 'the suite, if there are several'),
    new Option('--runs <folder>', 'where runs and steps are kept').default('./rsi_bench'),
    numberOption('--seed <number>', 'another number starts a new improvement', { min: 1, max: 999_999 }),
    numberOption('--max-usd <amount>', 'limit on cost, if runs state it', { min: 0.01, max: 1e6, decimals: true }),
    numberOption('--max-runs <number>', 'limit on runs of problems', { min: 1, max: 1_000_000 }),
    numberOption('--concurrency <number>', 'runs at the same time', { min: 1, max: 256 }),
    new Option('--unattended', 'loop: check that it may run without a person, also in a terminal'),
    new Option('--approve-policy', 'approve a proven version that changes only settings within "bounds" of the file'),
    new Option('--write <file>', 'approve: the file to write').default('./rsi.approved.json'),
    new Option('--by <name>', 'approve, reject: who decides (default: the user of this machine)'),
    new Option('--reason <text>', 'approve, reject: why'),
    jsonOption(),
  ],
  run: async (options, [action = 'status', ...names], config) => {
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (run) return run(options, names, config);
    throw new LoopError('invalid-input', `there is no "improve ${action}": use ${Object.keys(ACTIONS).join(', ')}`);
  },
});

/** Merges, rejects or reverts a change of code that was handed in. */
async function decideOnCode(
  verbName: 'approve' | 'reject' | 'rollback',
  { id }: CodeChange,
  options: Options,
  config: Configuration,
): Promise<ExitCode> {
  const person = personOf(decidingOf(options));
  const change = await withProject(config, (project) => project[verbName](id, person));
  const commit = change.rollback ?? change.commit;
  const text = prose(`${change.name} is ${change.status}${commit === undefined ? '' : ` as ${commit.slice(0, 12)}`}`);
  return printReport({ document: { format: 'rsi-improve-change/1', change }, text }, options);
}

/** Merges a version that changes files, and records the decision. The commit comes first: doing it again records it. */
async function mergeCode(found: FoundVersion, options: Options, config: Configuration): Promise<ExitCode> {
  mustBeProven(found.version);
  const deciding = decidingOf(options);
  personOf(deciding);
  const change = await withProject(config, (project) => mergeVersion(project, found, deciding));
  await recordApproval(found, deciding, options.runs);
  const text = prose(`version ${found.version.id} is merged as ${change.commit?.slice(0, 12) ?? change.status}`);
  return printReport({ document: { format: 'rsi-improve-change/1', change }, text }, options);
}

async function status(options: Options, names: readonly string[]): Promise<ExitCode> {
  mustBeNone('status', names);
  const { runs, suite } = options;
  const all = await readImprovements(runs, suite);
  const kept = newest(all, runs);
  const isRunning = await isLocked(join(runs, lockName(kept.id)));
  const steps = all.filter((one) => one.suite === kept.suite).map((one) => one.steps);
  const gate = readiness(steps, Date.now(), { isRunning });
  await print(statusReport(kept, gate, isRunning, lookAt(process.stdout)), options.json);
  return waitingVersion(kept.improvement) ? EXIT.attention : EXIT.done;
}

async function workOf(options: Options, config: Configuration): Promise<ImproveWork> {
  const file = await loadBenchFile(options.file);
  const suite = suiteNamed(file, options.suite);
  if (file.improve) {
    await noticeExposed(suite, config);
    return new ImproveWork(suite, file.improve, options);
  }
  throw new LoopError(
    'invalid-input',
    'the file exports no "improve": write improve: { propose: proposer(model, { texts }) }',
  );
}

function roundsFrom([given = '', ...more]: readonly string[]): number {
  const rounds = /^\d{1,4}$/.test(given) && more.length === 0 ? Number(given) : 0;
  if (rounds > 0) return rounds;
  throw new LoopError('invalid-input', `loop takes a number of rounds from 1 to 9999: write "loop 10"`);
}

function mustBeNone(action: string, names: readonly string[]): void {
  if (names.length > 0)
    throw new LoopError('invalid-input', `${action} takes no more words: leave out ${names.join(' ')}`);
}

function decidingOf({ by = userName(), reason }: Options) {
  return { by, ...(reason !== undefined && { reason }) };
}

async function printReport(report: Report, { json }: Options): Promise<ExitCode> {
  await print(report, json);
  return EXIT.done;
}
