/**
 * `npm run numbers`: prints the sizes, imports, exports and speeds of the project, each beside its aim. Speeds depend on the
 * machine and on what else runs on it. `npm run numbers -- --quick` leaves them out.
 */
import { DOORS } from './doors.js';
import { decisionsNamedIn, isUserPage } from './numbers/decisions.js';
import { readFrontDoor } from './numbers/front-door.js';
import { classifySpeed, groupingSpeed, measureMainEntry, statusBesideIdle } from './numbers/speeds.js';
import { deepImports, exportsOf, namesOfMany, readTree, roomsOf, sizeOf } from './numbers/tree.js';
import { answersToWhatWaits } from './numbers/waiting.js';
import { wayOfAnOutcome } from './numbers/way.js';

interface Row {
  readonly what: string;
  readonly now: number | undefined;
  readonly unit?: string;
  /** Limit of the aim: a maximum, unless `atLeast` is set. Absent for a figure without an aim. */
  readonly aim?: number;
  readonly atLeast?: boolean;
}

const tree = readTree(['src', 'integrations'], /\.tsx?$/);
const pages = [...readTree(['docs'], /\.md$/)].filter(([page]) => isUserPage(page));
const core = sizeOf(tree, 'src/');
const all = sizeOf(tree, '');
const { rooms, arrows } = roomsOf(tree);
const kit = exportsOf(tree.get('src/kit.ts') ?? '');
const front = await readFrontDoor();
const door = exportsOf(tree.get('src/index.ts') ?? '');

const rows: Row[] = [
  { what: 'lines of src', now: core.lines, aim: 42_000 },
  { what: 'files of src', now: core.files, aim: 430 },
  { what: 'lines of src and integrations', now: all.lines, aim: 115_000 },
  { what: 'deep imports of integrations into src', now: deepImports(tree, 'integrations/', 'src/').length, aim: 0 },
  { what: 'files from recordSimple to a verdict', now: (await wayOfAnOutcome()).length, aim: 16 },
  { what: 'rooms of src', now: rooms, aim: 20 },
  { what: 'arrows between rooms of src', now: arrows, aim: 85 },
  { what: 'doors of the package', now: Object.keys(DOORS).length },
  { what: 'values of the main door', now: door.values },
  { what: 'types of the main door', now: door.types, aim: 100 },
  { what: 'values of the kit', now: kit.values, aim: 40 },
  { what: 'types of the kit', now: kit.types },
  { what: 'file names that stand three times', now: namesOfMany(tree).size, aim: 0 },
  { what: 'answers to "what waits for me"', now: await answersToWhatWaits(), aim: 1 },
  { what: 'decision numbers on user pages', now: pages.flatMap(([, text]) => decisionsNamedIn(text)).length, aim: 0 },
  { what: 'lines of the README', now: front.readmeLines, aim: 110 },
  { what: 'unexplained terms in the README', now: front.terms.length, aim: 0 },
  { what: 'dead links on shipped pages', now: front.deadLinks.length, aim: 0 },
  { what: 'verbs in rsi --help', now: front.verbsInHelp, aim: 12 },
  { what: 'lines of help over 80 columns', now: front.wideLines.length, aim: 0 },
  { what: 'hints at no verb', now: front.deadHints.length, aim: 0 },
];

if (!process.argv.includes('--quick')) {
  const entry = await measureMainEntry();
  rows.push(
    { what: 'main entry, gzipped', now: entry.atStartBytes / 1000, unit: 'kB', aim: 115 },
    { what: 'judge, loaded later, gzipped', now: entry.lateBytes / 1000, unit: 'kB' },
    { what: 'processor time until ready', now: entry.readyMs, unit: 'ms', aim: 25 },
    { what: 'first failure of a process', now: entry.firstFailureMs, unit: 'ms', aim: 5 },
    { what: 'rsi status beside idle Node', now: statusBesideIdle(), unit: 'x', aim: 2 },
    { what: 'classifyError', now: classifySpeed(), unit: '/s', aim: 200_000, atLeast: true },
    { what: 'grouping of mixed messages', now: groupingSpeed(), unit: '/s', aim: 600_000, atLeast: true },
  );
}

for (const { what, now, unit = '', aim, atLeast = false } of rows) {
  const shown = now === undefined ? 'needs npm run build' : `${digits(now)} ${unit}`.trim();
  const wanted = aim === undefined ? '' : `${atLeast ? 'at least' : 'at most'} ${digits(aim)} ${unit}`.trim();
  const isMissed = aim !== undefined && now !== undefined && (atLeast ? now < aim : now > aim);
  console.log(`${what.padEnd(40)}${shown.padStart(20)}   ${wanted.padEnd(22)}${isMissed ? 'missed' : ''}`.trimEnd());
}
for (const [name, files] of namesOfMany(tree)) console.log(`\n${name}\n  ${files.join('\n  ')}`);

function digits(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 && !Number.isInteger(value) ? 1 : 0 });
}
