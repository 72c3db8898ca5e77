import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { LoopError, type Verdict } from 'rsi-loop';
import {
  FORMAT,
  inspectStore,
  openLine,
  readOnlyFileSystem,
  type StoreInspection,
  sealLine,
  verifyLedger,
} from 'rsi-loop/node';

/** Format that is converted into the one of this version. */
const BEFORE = FORMAT - 1;

/** Counts of an upgrade, and the place of the old folder. */
export interface UpgradeReport {
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly decisions: number;
  /** Hash of the last decision, which did not change. */
  readonly head: string;
  /** Path of the folder as it was. */
  readonly kept: string;
}

/** Files that a store builds again: they are left out. */
const REBUILT = ['state', 'leases', 'writers'];
/** Age at which a heartbeat is that of a process that ended. */
const SILENT_MS = 60_000;

/**
 * Converts a folder of the format before into this one. Writes a copy beside it, checks every record and the chain of
 * decisions in it, and only then swaps the two. The old folder stays under another name.
 * @throws LoopError `invalid-input` if there is nothing to convert or a process still writes, `store-failed` if the copy
 * does not hold everything. The folder is then as it was.
 */
export async function upgradeFolder(folder: string): Promise<UpgradeReport> {
  await mustBeOld(folder);
  const [copy, kept] = [`${folder}.upgrade`, `${folder}.format-${BEFORE}`];
  if (await isThere(kept)) throw refused(`${kept} exists: an upgrade kept a folder there; move it away`);
  await rm(copy, { recursive: true, force: true }); // of an upgrade that was killed
  try {
    const lines = await convertAll(folder, copy);
    const { ledger, journal } = await mustBeWhole(copy, lines);
    await rename(folder, kept);
    await rename(copy, folder);
    const { length: decisions, hash: head } = ledger.head;
    return { from: BEFORE, to: FORMAT, records: journal.starts + journal.outcomes, decisions, head, kept };
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

async function mustBeOld(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'store.json'), 'utf8').catch(() => '');
  const format = formatOf(text.split('\n')[0] ?? '');
  if (format === FORMAT) throw refused(`${folder} is of format ${FORMAT} already`);
  if (format !== BEFORE) {
    const found = format === undefined ? 'has no readable store.json' : `is of format ${format}`;
    throw refused(`${folder} ${found}, and this version upgrades only format ${BEFORE}`);
  }
  const writers = join(folder, 'writers');
  for (const name of await readdir(writers).catch(() => [])) {
    const { mtimeMs } = await stat(join(writers, name));
    if (Date.now() - mtimeMs < SILENT_MS)
      throw refused(`a process wrote to ${folder} within a minute: end the processes of the loop first`);
  }
}

/** Writes the copy. Returns its number of lines, without the first of each file. */
async function convertAll(folder: string, copy: string): Promise<number> {
  let lines = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    const [part = ''] = path.split(/[\\/]/);
    if (!entry.isFile() || REBUILT.includes(part)) continue;
    await mkdir(dirname(join(copy, path)), { recursive: true });
    if (basename(path) !== 'store.json' && !['journal', 'ledger', 'head'].includes(part)) {
      await cp(join(folder, path), join(copy, path));
      continue;
    }
    const text = await readFile(join(folder, path), 'utf8');
    await writeFile(join(copy, path), text.split('\n').map(converted).join('\n'), { flush: true });
    if (part === 'journal')
      lines += text.split('\n').filter((line) => formatOf(line) === undefined && line !== '').length;
  }
  return lines;
}

/** Returns a line with the format of this version. Lines without a format, and damaged ones, stay as they are. */
function converted(line: string): string {
  const rest = formatOf(line) === BEFORE ? openLine(line) : undefined;
  return rest === undefined ? line : sealLine(rest.replace(`"format":${BEFORE}`, `"format":${FORMAT}`));
}

/** Returns the format that the first line of a file states; undefined for another line. */
function formatOf(line: string): number | undefined {
  const format = /^\{"crc":"[0-9a-f]{8}","format":(\d+),"kind":/.exec(line)?.[1];
  return format === undefined ? undefined : Number(format);
}

async function mustBeWhole(
  copy: string,
  lines: number,
): Promise<Pick<StoreInspection, 'journal'> & { readonly ledger: NonNullable<StoreInspection['ledger']> }> {
  const { ledger, journal, problems } = await inspectStore(copy);
  const fault =
    problems[0]?.message ??
    ledger?.faults[0]?.message ??
    (await unknownVerdict(copy)) ??
    (journal.starts + journal.outcomes === lines
      ? undefined
      : `it holds ${lines} records of which some are unreadable`);
  if (fault === undefined && ledger !== undefined) return { ledger, journal };
  const why = fault?.replaceAll(`${copy}/`, '') ?? 'its ledger cannot be read';
  throw new LoopError('store-failed', `nothing was upgraded: ${why}`);
}

/** Verdicts of this version. Another version may have other words, which would be misread. */
const VERDICTS: ReadonlySet<string> = new Set(['confirmed', 'failed', 'inconclusive'] satisfies Verdict['kind'][]);

async function unknownVerdict(copy: string): Promise<string | undefined> {
  let unknown: string | undefined;
  await verifyLedger(copy, readOnlyFileSystem, (entry) => {
    if (entry.kind === 'fix-moved' && entry.verdict && !VERDICTS.has(entry.verdict.kind))
      unknown ??= `a verdict says ${JSON.stringify(entry.verdict.kind)}, a word of another version`;
  });
  return unknown;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function refused(message: string): LoopError {
  return new LoopError('invalid-input', message);
}
