import { type Feature, type FeatureKind, wordsOf } from './feature.js';

/** Headings of nearly every project, which say nothing about what it can do. */
const USUAL: ReadonlySet<string> = new Set(
  [
    'license licence contributing contribution contributor changelog change table content toc installation install install',
    'quick start quickstart start introduction overview about usage example documentation doc faq author credit acknowledgement',
    'acknowledgment support community development developing test testing requirement prerequisite setup sponsor note see also',
    'next step summary background reference more further reading badge status roadmap todo description feature',
  ].flatMap((line) => line.split(' ')),
);
/** Options of other programs, such as package managers. */
const FOREIGN: ReadonlySet<string> = new Set(
  '--save --save-dev --save-exact --global --yes --help --version --registry --dev --frozen-lockfile --no-save --exact --recursive --branch --depth --upgrade --user'.split(
    ' ',
  ),
);
const MAX_LINE = 2_000;

/** Reads headings, options and commands from a Markdown page. `programs` are the names of the project's commands. */
export function readDocument(text: string, file: string, programs: readonly string[]): readonly Feature[] {
  const names = programs.map((program) => program.replace(/[^\w@/.-]/g, '')).filter((program) => program !== '');
  const call = names.length === 0 ? undefined : callPattern(names);
  return placesOf(text).flatMap((place) =>
    [...topicsIn(place), ...optionsIn(place), ...callsIn(place, call), ...cellsIn(place)].map(([kind, name]) => {
      return { kind, name, file, line: place.number };
    }),
  );
}

/** Line of a page, with what surrounds it. */
interface Place {
  readonly line: string;
  readonly number: number;
  readonly isCode: boolean;
  /** Kind of the names in the first column of its table. */
  readonly column: FeatureKind | undefined;
}

type Found = readonly (readonly [kind: FeatureKind, name: string])[];

function placesOf(text: string): readonly Place[] {
  let fence: string | undefined;
  let column: FeatureKind | undefined;
  return text.split('\n').map((whole, index) => {
    const line = whole.slice(0, MAX_LINE);
    fence = fenceAfter(line, fence);
    column = columnOf(line, column);
    return { line, number: index + 1, isCode: fence !== undefined, column };
  });
}

/** Returns the fence that is open after the line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  return open === mark ? undefined : open;
}

function topicsIn({ line, isCode }: Place): Found {
  const heading = isCode ? undefined : /^#{1,3}\s+(\S.*)$/.exec(line)?.[1];
  const title = heading === undefined ? undefined : topicOf(heading);
  return title === undefined ? [] : [['topic', title]];
}

function optionsIn({ line }: Place): Found {
  const options = [...line.matchAll(/(?<![\w-])--[a-z][a-z0-9-]{1,40}(?![\w-])/g)].map(([option]) => option);
  return options.filter((option) => !FOREIGN.has(option)).map((option) => ['option', option]);
}

function callsIn({ line, isCode }: Place, call: RegExp | undefined): Found {
  if (call === undefined) return [];
  // Prose may begin with the name of a program as well: "rival reads your logs".
  const code = isCode || /^(?: {4}|\t)/.test(line) ? [line] : [...line.matchAll(/`[^`]*`/g)].map(([span]) => span);
  return code.flatMap((text) => [...text.matchAll(call)].map(([, verb = '']) => ['command', verb] as const));
}

function cellsIn({ line, column }: Place): Found {
  if (column === undefined) return [];
  const cell = /^\s*\|\s*(?:\[)?`([^`|]{1,60})`/.exec(line)?.[1] ?? '';
  const name = /^[\w.:@-]+/.exec(cell)?.[0];
  return name === undefined ? [] : [[column, name]];
}

/** A call of one of the programs with a verb, such as `$ rsi analyze`. */
function callPattern(names: readonly string[]): RegExp {
  const any = names.map((name) => name.replace(/[.]/g, '\\$&')).join('|');
  return new RegExp(`(?:^|[\`$>])\\s*(?:npx\\s+)?(?:${any})\\s+([a-z][a-z0-9:-]{1,30})(?![\\w./=-])`, 'g');
}

/** Returns the words of a heading; undefined for one that nearly every project has. */
function topicOf(heading: string): string | undefined {
  const title = heading
    .replace(/\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/<[^>]{0,200}>|[`*_#]/g, '')
    .replace(/\{[^}]{0,100}\}$/, '')
    .trim();
  const words = wordsOf(title);
  const isVersion = /^v?\d+\.\d+/.test(title);
  const says = words.length > 0 && words.length <= 8 && !isVersion && !words.every((word) => USUAL.has(word));
  return says ? title : undefined;
}

/** Returns what the first column of the table lists that this line belongs to. */
function columnOf(line: string, current: FeatureKind | undefined): FeatureKind | undefined {
  if (!/^\s*\|/.test(line)) return undefined;
  const head = /^\s*\|\s*([^|`]{1,40}?)\s*\|/.exec(line)?.[1]?.toLowerCase();
  if (head === undefined) return current;
  if (/^(?:sub)?commands?$|^verbs?$/.test(head)) return 'command';
  return /^(?:options?|flags?|parameters?|settings?|props?)$/.test(head) ? 'option' : current;
}
