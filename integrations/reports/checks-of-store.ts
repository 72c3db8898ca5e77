import { sep } from 'node:path';
import type { StoreCheck, StoreInspection } from 'rsi-loop/node';
import { counted, moment, size, whole } from './words/numbers.js';

/** Facts that only the operating system knows. */
export interface Surroundings {
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly nowMs: number;
  readonly readable: boolean;
  readonly writable: boolean;
  /** Free space on the disk that holds the folder; undefined if the system does not report it. */
  readonly freeBytes?: number;
  readonly version: string;
  /** Version of Node, e.g. `20.19.0`. */
  readonly node: string;
}

/** Eight segments of the default size: enough to notice and free space before records are dropped. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;
/** Oldest Node version that this package is tested on. */
const OLDEST_NODE = [20, 19] as const;
/** Number of problems listed one by one; a broken disk has thousands. */
const MAX_SHOWN = 3;

/** Runs all checks on a folder, its store and its surroundings. */
export function checksOf(store: StoreInspection, around: Surroundings): readonly StoreCheck[] {
  const checks = [
    folderCheck(around),
    spaceCheck(around),
    formatCheck(store),
    ledgerCheck(store),
    journalCheck(store),
    cyclesCheck(store, around),
    ...problemChecks(store.problems),
    quarantineCheck(store),
    leaseCheck(store),
    processCheck(store, around),
    clockCheck(store, around),
    versionCheck(around),
  ];
  // The report's heading already names the folder, and the messages suggest this very command.
  return checks.map((check) => ({
    ...check,
    found: check.found.replaceAll(around.folder + sep, '').replaceAll(': run "rsi doctor"', ''),
  }));
}

function folderCheck({ readable, writable }: Surroundings): StoreCheck {
  if (readable && writable) return fine('folder', 'readable and writable');
  const found = readable ? 'not writable for this user' : 'not readable for this user';
  return attention('folder', found, 'give the user that runs the loop the right to read and write it (chown, chmod)');
}

function spaceCheck({ freeBytes }: Surroundings): StoreCheck {
  if (freeBytes === undefined) return fine('space', 'not reported by this system');
  const found = `${size(freeBytes)} free`;
  if (freeBytes >= LEAST_FREE_BYTES) return fine('space', found);
  return attention(
    'space',
    found,
    'free disk space: on a full disk new records are dropped (and counted) and decisions rejected',
  );
}

function formatCheck({ marker }: StoreInspection): StoreCheck {
  switch (marker) {
    case 'intact':
      return fine('format', 'of this version');
    case 'newer-format':
      return attention('format', 'of a newer version', 'upgrade rsi-loop: this version changes nothing in the folder');
    case 'older-format':
      return attention(
        'format',
        'of an earlier version, which this one cannot read',
        'run "rsi store upgrade", or use the version that wrote it: this one changes nothing in the folder',
      );
    case 'foreign':
      return attention('format', 'store.json belongs to another program', 'move it away, or name another folder');
    case 'missing':
      return attention('format', 'store.json is missing', 'the next process that opens the folder writes it again');
    case 'damaged':
      return attention(
        'format',
        'store.json is damaged',
        'delete it: the next process that opens the folder writes it',
      );
    default:
      return marker satisfies never;
  }
}

function ledgerCheck({ ledger, journal }: StoreInspection): StoreCheck {
  if (ledger?.ok && ledger.head.length === 0 && journal.starts > 0) {
    const found = `missing, although the journal holds ${counted(journal.starts, 'start')} of trials`;
    return attention(
      'ledger',
      found,
      'restore ledger/ and head/ from a backup: all decisions and verdicts are in them',
    );
  }
  if (!ledger) return attention('ledger', 'cannot be read: see below', 'decisions are not lost, but cannot be checked');
  const { head, faults } = ledger;
  const entries = counted(head.length, 'entry', 'entries');
  if (faults.length === 0) return fine('ledger', head.length === 0 ? 'empty' : `${entries}, an unbroken chain`);
  const shown = faults.slice(0, MAX_SHOWN).map(({ message }) => message);
  const more = faults.length > MAX_SHOWN ? [`${faults.length - MAX_SHOWN} more faults`] : [];
  const onlyUnfinished = faults.every(({ kind }) => kind === 'beyond-head');
  return attention(
    'ledger',
    `${entries}: ${[...shown, ...more].join('; ')}`,
    onlyUnfinished
      ? 'a process was killed while it decided: the next decision sets it right'
      : 'decisions were changed outside the loop: compare them with a backup before you trust them',
  );
}

function journalCheck({ journal, missing }: StoreInspection): StoreCheck {
  const [first] = missing;
  if (first !== undefined) {
    const total = missing.reduce((sum, { from, upTo }) => sum + upTo - from, 0);
    const where = `of ${first.writer} from ${whole(first.from)} to ${whole(first.upTo - 1)}`;
    const more = missing.length === 1 ? '' : `, and at ${counted(missing.length - 1, 'place')} more`;
    const found = `${counted(total, 'record')} that cycles counted ${total === 1 ? 'is' : 'are'} missing: ${where}${more}`;
    return attention('journal', found, 'restore the files of journal/ from a backup, or find what deleted or cut them');
  }
  const { outcomes, starts, segments, writers, bytes, fromMs, toMs } = journal;
  if (segments === 0) return fine('journal', 'empty');
  const records = `${counted(outcomes, 'outcome')} and ${counted(starts, 'start')}`;
  const files = `${counted(segments, 'segment')} of ${counted(writers, 'process', 'processes')}, ${size(bytes)}`;
  const reach = fromMs === undefined || toMs === undefined ? '' : `, ${moment(fromMs)} to ${moment(toMs)}`;
  return fine('journal', `${records} in ${files}${reach}`);
}

/** Longest time that records may wait while a process writes and no cycle reads them. Beyond it, a person is needed. */
const LONGEST_WAIT_MS = 3_600_000;

function cyclesCheck({ cycles, processes }: StoreInspection, { nowMs }: Surroundings): StoreCheck {
  const { failed, lastMs, waiting, waitingSinceMs = nowMs } = cycles;
  if (failed) {
    const times = failed.count === 1 ? 'the last cycle' : `the last ${whole(failed.count)} cycles`;
    const since = failed.count === 1 ? `at ${moment(failed.lastMs)}` : `since ${moment(failed.sinceMs)}`;
    return attention(
      'cycles',
      `${times} of ${failed.writer} failed, ${since}: ${failed.why}`,
      'nothing is proposed or decided until a cycle ends: repair the named cause, the next cycle continues from there',
    );
  }
  const last = lastMs === undefined ? 'no cycle took in records yet' : `the last took in records on ${moment(lastMs)}`;
  const found =
    waiting === 0
      ? last
      : `${last}; ${counted(waiting, 'record waits', 'records wait')}, from ${moment(waitingSinceMs)} on`;
  const isLate = waiting > 0 && nowMs - Math.max(waitingSinceMs, lastMs ?? 0) >= LONGEST_WAIT_MS;
  if (!isLate || !processes.some(({ alive }) => alive)) return fine('cycles', found);
  return attention(
    'cycles',
    found,
    'a process writes, but no cycle runs: call loop.start() or runCycle() in it, or look at its problem events',
  );
}

/** Returns a check for each kind of problem that the store reports. */
function problemChecks(problems: StoreInspection['problems']): readonly StoreCheck[] {
  return (['damaged', 'foreign'] as const).flatMap((kind) => {
    const found = problems.filter((problem) => problem.kind === kind);
    if (found.length === 0) return [];
    const shown = found.slice(0, MAX_SHOWN).map(({ message }) => message);
    if (found.length > MAX_SHOWN) shown.push(`and ${counted(found.length - MAX_SHOWN, 'place')} more`);
    return [attention(kind, shown.join('; '), ADVICE[kind])];
  });
}

const ADVICE = {
  damaged: 'all else is read as usual; check the disk and its log: a store never writes such bytes',
  foreign: 'upgrade rsi-loop or use the version that wrote it; move it away if it does not belong to a loop',
} as const;

function quarantineCheck({ quarantined }: StoreInspection): StoreCheck {
  if (quarantined === 0) return fine('quarantine', 'empty');
  const found = `${counted(quarantined, 'damaged place')} set aside`;
  return attention('quarantine', found, 'look at the copies in quarantine/ and delete them: nothing reads them');
}

function leaseCheck({ leases }: StoreInspection): StoreCheck {
  const unreadable = leases.filter(({ state }) => state === 'unreadable');
  if (unreadable.length > 0) {
    const names = unreadable.map(({ name }) => name).join(', ');
    return attention(
      'lease',
      `${names} cannot be read`,
      'the next process takes it over: nothing to do if it is gone then',
    );
  }
  const held = leases.filter(({ state }) => state === 'held');
  if (held.length > 0) return fine('lease', `${held.map(({ name }) => name).join(', ')} held by a process that runs`);
  const left = leases.filter(({ state }) => state === 'left');
  if (left.length === 0) return fine('lease', 'free');
  return fine(
    'lease',
    `${left.map(({ name }) => name).join(', ')} left by a process that ended; the next takes it over`,
  );
}

/**
 * Longest silence of a live process. Processes send two heartbeats a second, so a longer silence means stopped or a
 * hanging disk.
 */
const LONGEST_SILENCE_MS = 60_000;

function processCheck({ processes }: StoreInspection, { nowMs }: Surroundings): StoreCheck {
  const silent = processes.filter((one) => one.alive && nowMs - one.watermarkMs >= LONGEST_SILENCE_MS);
  if (silent.length > 0) {
    const shown = silent.map(({ writer, watermarkMs }) => `${writer} since ${moment(watermarkMs)}`).join(', ');
    return attention(
      'processes',
      `no sign of life: ${shown}`,
      'trials wait for it, and cycles for a minute if it leads: resume it (kill -CONT) or end it',
    );
  }
  const alive = processes.filter((one) => one.alive).length;
  const dead = processes.length - alive;
  const ended = dead === 0 ? '' : `, ${whole(dead)} ended without closing`;
  return fine('processes', `${alive === 0 ? 'none writes' : counted(alive, 'writes', 'write')} now${ended}`);
}

function clockCheck({ journal }: StoreInspection, { nowMs }: Surroundings): StoreCheck {
  if (journal.ahead === 0) return fine('clock', 'no record from the future');
  const latest = moment(journal.toMs ?? nowMs);
  const found = `${counted(journal.ahead, 'record')} from the future, up to ${latest}; it is ${moment(nowMs)} here`;
  return attention(
    'clock',
    found,
    'set the clocks of the machines (NTP): times decide what is recent and what is over',
  );
}

function versionCheck({ version, node }: Surroundings): StoreCheck {
  const found = `rsi-loop ${version}, Node ${node}`;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return fine('versions', found);
  return attention('versions', found, `use Node ${OLDEST_NODE.join('.')} or newer`);
}

function fine(name: string, found: string): StoreCheck {
  return { name, ok: true, found };
}

function attention(name: string, found: string, advice: string): StoreCheck {
  return { name, ok: false, found, advice };
}
