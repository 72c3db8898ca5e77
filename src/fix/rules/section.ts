import { readRule, type WrittenRule } from './rule-line.js';

export const BEGIN = '<!-- rsi-loop:begin -->';
export const END = '<!-- rsi-loop:end -->';
/** Note in sections that rsi-loop created. They are removed with their last rule; sections that people created stay. */
export const NOTE =
  '<!-- Rules this agent learned, kept by rsi-loop. Each line may be edited or deleted; leave the markers. -->';

/** Note in files that rsi-loop created for their first rule. They are removed with their last one. */
export const NOTE_OF_OWN_FILE =
  '<!-- Rules this agent learned; rsi-loop made this file for them. Each line may be edited or deleted; leave the markers. -->';

const BOM = '\ufeff';
const MARKER = /rsi-loop:(?:begin|end)/i;
const BULLET = /^ {0,3}[-*+]\s/;
const INDENTED = /^(?: {2}|\t)\s*\S/;

/** Lines of a section that form one rule: `from` (inclusive) to `to` (exclusive). */
export interface RuleLines {
  readonly from: number;
  readonly to: number;
  readonly rule: WrittenRule;
}

/** File split into lines with their breaks, and its section. */
export interface SectionedFile {
  readonly kind: 'read';
  /** Byte order mark, or `''`. */
  readonly bom: string;
  readonly lines: readonly string[];
  /** Section of the file. `begin` and `end` are the line indexes of its markers. */
  readonly section?: {
    readonly begin: number;
    readonly end: number;
    readonly rules: readonly RuleLines[];
    /** Line index of the note; absent if a person created the section. */
    readonly note?: number;
    /** Whether the note says that the file was created for the section. */
    readonly ownsFile: boolean;
  };
}

/** Edit that was not done, and the reason. */
export interface SectionRefused {
  readonly kind: 'refused';
  readonly why:
    | /** The markers, or the comments of the rules, were changed. */ 'damaged'
    /** The rule may not be written. */
    | 'not-allowed'
    /** The section is full, even without every rule that may be removed. */
    | 'full';
  /** Problem, its line and what to do. */
  readonly message: string;
}

/** Finds the section of a file. Rejects a file whose section is ambiguous. */
export function readSection(text: string): SectionedFile | SectionRefused {
  const bom = text.startsWith(BOM) ? BOM : '';
  const lines = text.slice(bom.length).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const begins = lines.flatMap((line, index) => (line.trim() === BEGIN ? [index] : []));
  const ends = lines.flatMap((line, index) => (line.trim() === END ? [index] : []));
  const [begin] = begins;
  const [end] = ends;
  const odd = lines.findIndex((line, index) => MARKER.test(line) && index !== begin && index !== end);
  if (odd >= 0) return damaged(odd, 'is a second marker, or one that is not alone on its line: leave one of each');
  if (begin === undefined && end === undefined) return withoutRules({ kind: 'read', bom, lines });
  if (begin === undefined)
    return damaged(end ?? 0, `ends a section that nothing begins: write ${BEGIN} above, or delete it`);
  if (end === undefined) return damaged(begin, `begins a section that nothing ends: write ${END} below, or delete it`);
  if (end < begin) return damaged(end, 'ends the section before it begins: put the markers in order');
  return readRules(bom, lines, begin, end);
}

/** Rejects a file without a section that still has a rule line. A person put it there, so only a person can decide. */
function withoutRules(file: SectionedFile): SectionedFile | SectionRefused {
  const stray = file.lines.findIndex((line) => readRule(line) !== undefined);
  return stray < 0 ? file : strayed(stray);
}

function readRules(bom: string, lines: readonly string[], begin: number, end: number): SectionedFile | SectionRefused {
  const items = itemsOf(lines, begin, end);
  const rules: RuleLines[] = [];
  const seen = new Map<string, number>();
  for (const { from, to, text } of items) {
    const rule = readRule(text);
    if (rule === undefined) continue;
    if (rule === 'damaged') return damaged(from, 'holds a comment of a rule that cannot be read: delete the comment');
    if (from < begin || from > end || !BULLET.test(lines[from] ?? '')) return strayed(from);
    const twin = seen.get(rule.id);
    if (twin !== undefined) return damaged(from, `holds rule ${rule.id}, as line ${twin + 1} does: delete one of them`);
    seen.set(rule.id, from);
    rules.push({ from, to, rule });
  }
  const isNote = (text: string) => text === NOTE || text === NOTE_OF_OWN_FILE;
  const note = items.find(({ from, text }) => from > begin && from < end && isNote(text));
  const ownsFile = note?.text === NOTE_OF_OWN_FILE;
  return { kind: 'read', bom, lines, section: { begin, end, rules, ownsFile, ...(note && { note: note.from }) } };
}

/** Lines `from` to `to` (exclusive) that belong together, and their text on one line. */
interface Item {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns the list items of the section, and every other line of the file as an item of its own. */
function itemsOf(lines: readonly string[], begin: number, end: number): readonly Item[] {
  const items: Item[] = [];
  for (let from = 0, to = 0; from < lines.length; from = to) {
    to = from > begin && from < end ? itemEnd(lines, from, end) : from + 1;
    items.push({ from, to, text: lines.slice(from, to).join(' ').replace(/\s+/g, ' ').trim() });
  }
  return items;
}

/** Returns the end of a list item. Formatters wrap long items: indented lines below a bullet belong to it. */
function itemEnd(lines: readonly string[], from: number, end: number): number {
  let to = from + 1;
  if (!BULLET.test(lines[from] ?? '')) return to;
  while (to < end && INDENTED.test(lines[to] ?? '') && !BULLET.test((lines[to] ?? '').trimStart())) to++;
  return to;
}

function strayed(index: number): SectionRefused {
  return damaged(
    index,
    'holds a rule outside of the section: move it back, or delete its comment to make the line your own',
  );
}

function damaged(index: number, what: string): SectionRefused {
  return { kind: 'refused', why: 'damaged', message: `line ${index + 1} ${what}` };
}
