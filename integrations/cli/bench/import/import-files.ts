import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { LoopError, type Model } from 'rsi-loop';
import { compareRecorded, type Problem, type ProblemResult, Suite } from 'rsi-loop/bench';
import { EXIT, type ExitCode } from '../../exit.js';
import { lookAt } from '../../terminal/look.js';
import { print } from '../../terminal/output.js';
import { type ImportNote, uniqueNames } from './imported.js';
import { FORMAT_NAMES, readOtherFile } from './read-file.js';
import { type ImportSummary, importText, type Version } from './report.js';

export interface ImportSettings {
  readonly format?: string;
  readonly out?: string;
  readonly json?: true;
}

/**
 * Writes the problems of other tools' files into one problem file, and compares recorded results with those of the first.
 * @throws LoopError `invalid-input` for a file that cannot be read, or one that would be overwritten.
 */
export async function importFiles(paths: readonly string[], { format, out, json }: ImportSettings): Promise<ExitCode> {
  const [first] = paths;
  if (first === undefined) throw new LoopError('invalid-input', `name a file to import: ${FORMAT_NAMES.join(', ')}`);
  if (format !== undefined && !FORMAT_NAMES.includes(format))
    throw new LoopError('invalid-input', `there is no format ${format}: use ${FORMAT_NAMES.join(', ')}`);
  const problems = new Map<string, Problem>();
  const versions: Version[] = [];
  const notes: ImportNote[] = [];
  const files = [];
  for (const path of paths) {
    const found = await readOtherFile(path, format).catch((cause: unknown) => {
      if (!LoopError.is(cause) || paths.length === 1) throw cause;
      return cause;
    });
    if (LoopError.is(found)) {
      notes.push({ kind: 'skipped', item: path, reason: found.message });
      continue;
    }
    const { recorded } = found;
    files.push({ path, format: found.format, problems: found.problems.length });
    notes.push(...found.notes, ...added(problems, found.problems));
    for (const { version, runs } of recorded)
      versions.push({ name: version === '' ? basename(path) : `${version} (${basename(path)})`, runs });
  }
  const { usable, waiting, unusable } = sorted([...problems.values()]);
  notes.push(...unusable, ...waiting);
  const written = await write(usable, out ?? `./bench/${basename(first).replace(/\.[^.]+$/, '')}.json`);
  const summary: ImportSummary = {
    files,
    notes,
    problems: usable.length,
    ...compared(versions),
    ...(written !== undefined && { out: written }),
  };
  await print(
    { document: { format: 'rsi-bench-import/1', ...summary }, text: importText(summary, lookAt(process.stdout)) },
    json,
  );
  return usable.length + versions.length > 0 ? EXIT.done : EXIT.unusable;
}

/** Adds problems to those of earlier files. The same problem of two files is one. */
function added(problems: Map<string, Problem>, found: readonly Problem[]): readonly ImportNote[] {
  return found.flatMap((problem) => {
    const known = problems.get(problem.id);
    if (!known) problems.set(problem.id, problem);
    if (!known || JSON.stringify(known.input) === JSON.stringify(problem.input)) return [];
    return [{ kind: 'skipped', item: problem.id, reason: 'an earlier file has another problem of this name' } as const];
  });
}

function compared(versions: readonly Version[]): Pick<ImportSummary, 'versions' | 'comparisons'> {
  const named = uniqueNames();
  const all = versions.map(({ name, runs }) => ({ name: named(name), runs }));
  const [baseline, ...others] = all;
  return {
    versions: all.map(({ name, runs }) => ({ name, runs: runs.length, score: meanScore(runs) })),
    comparisons: baseline ? others.map(({ name, runs }) => compareRecorded(baseline.runs, runs, { name })) : [],
  };
}

function meanScore(runs: readonly ProblemResult[]): number {
  return runs.reduce((sum, { score }) => sum + score, 0) / Math.max(1, runs.length);
}

/** Writes a problem file that a benchmark can read, and returns its path; undefined without problems. */
async function write(problems: readonly Problem[], path: string): Promise<string | undefined> {
  if (problems.length === 0) return undefined;
  if (existsSync(path)) throw new LoopError('invalid-input', `${path} is there already: name another file with --out`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(problems, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 });
  return path;
}

interface Sorted {
  readonly usable: readonly Problem[];
  /** Notes on problems that need a judge, and on those that no benchmark could use. */
  readonly waiting: readonly ImportNote[];
  readonly unusable: readonly ImportNote[];
}

/** Tries each problem in a benchmark, so that one that cannot be used does not lose the others. */
function sorted(problems: readonly Problem[]): Sorted {
  const usable: Problem[] = [];
  const unusable: ImportNote[] = [];
  let judged = 0;
  for (const problem of problems) {
    const reason = faultOf(problem, NO_JUDGE);
    if (reason === undefined) {
      usable.push(problem);
      if (faultOf(problem) !== undefined) judged++;
    } else unusable.push({ kind: 'skipped', item: problem.id, reason });
  }
  const which = judged === 1 ? '1 problem is' : `${judged} problems are`;
  const reason = `${which} judged by a model: give the benchmark a judge, such as judge: model`;
  return { usable, unusable, waiting: judged > 0 ? [{ kind: 'changed', item: 'judge', reason }] : [] };
}

function faultOf(problem: Problem, judge?: Model): string | undefined {
  try {
    new Suite('import', { problems: [problem], run: () => undefined, score: () => 0, ...(judge && { judge }) });
    return undefined;
  } catch (cause) {
    if (!LoopError.is(cause)) throw cause;
    return cause.message;
  }
}

/** Stands for the judge of the benchmark, which is not asked. */
const NO_JUDGE = {
  complete: () => Promise.reject(new LoopError('invalid-input', 'an import asks no model')),
} as unknown as Model; // a benchmark only checks that it can be asked
