import { readRule, type WrittenRule } from './rule-line.js';

export const BEGIN = '<!-- rsi-loop:begin -->';
export const END = '<!-- rsi-loop:end -->';
/** Stands in sections that were made here, which go again with their last rule; what people made stays. */
export const NOTE =
  '<!-- Rules this agent learned, kept by rsi-loop. Each line may be edited or deleted; leave the markers. -->';

/** The same where the file was made for its first rule, and goes again with its last one. */
export const NOTE_OF_OWN_FILE =
  '<!-- Rules this agent learned; rsi-loop made this file for them. Each line may be edited or deleted; leave the markers. -->';

const BOM = '\ufeff';
const MARKER = /rsi-loop:(?:begin|end)/i;
const BULLET = /^ {0,3}[-*+]\s/;
const INDENTED = /^(?: {2}|\t)\s*\S/;

/** Lines of a section that are one rule: `from` to before `to`. */
export interface RuleLines {
  readonly from: number;
  readonly to: number;
  readonly rule: WrittenRule;
}

/** A file taken apart into lines with their breaks, and its section. */
export interface SectionedFile {
  readonly kind: 'read';
  /** The byte order mark, or `''`. */
  readonly bom: string;
  readonly lines: readonly string[];
  /** Index of the lines of both markers. */
  readonly section?: {
    readonly begin: number;
    readonly end: number;
    readonly rules: readonly RuleLines[];
    /** Index of the note; without one a person made the section. */
    readonly note?: number;
    /** The note says that the file was made for the section. */
    readonly ownsFile: boolean;
  };
}

/** Nothing was done, and why. */
export interface SectionRefused {
  readonly kind: 'refused';
  readonly why:
    | /** The markers, or the comments of the rules, are not as they were written. */ 'damaged'
    /** The rule is not one that may be written. */
    | 'not-allowed'
    /** No room, though every rule that may go had gone. */
    | 'full';
  /** What was found, on which line, and what to do. */
  readonly message: string;
}

/** Finds the section of a file; refuses where it would have to guess. */
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

/** A line of a rule outside of a section is a person's doing, and not ours to judge. */
function withoutRules(file: SectionedFile): SectionedFile | SectionRefused {
  const stray = file.lines.findIndex((line) => readRule(line) !== undefined);
  return stray < 0 ? file : strayed(stray);
}

function readRules(bom: string, lines: readonly string[], begin: number, end: number): SectionedFile | SectionRefused {
  const rules: RuleLines[] = [];
  const seen = new Map<string, number>();
  let note: number | undefined;
  for (let from = 0; from < lines.length; ) {
    const to = from > begin && from < end ? itemEnd(lines, from, end) : from + 1;
    const item = lines.slice(from, to).join(' ').replace(/\s+/g, ' ').trim();
    if ((item === NOTE || item === NOTE_OF_OWN_FILE) && from > begin && from < end) note ??= from;
    const rule = readRule(item);
    if (rule === 'damaged') return damaged(from, 'holds a comment of a rule that cannot be read: delete the comment');
    if (rule) {
      if (from < begin || from > end || !BULLET.test(lines[from] ?? '')) return strayed(from);
      const twin = seen.get(rule.id);
      if (twin !== undefined)
        return damaged(from, `holds rule ${rule.id}, as line ${twin + 1} does: delete one of them`);
      seen.set(rule.id, from);
      rules.push({ from, to, rule });
    }
    from = to;
  }
  const ownsFile = note !== undefined && lines[note]?.trim() === NOTE_OF_OWN_FILE;
  return { kind: 'read', bom, lines, section: { begin, end, rules, ownsFile, ...(note !== undefined && { note }) } };
}

/** Formatters wrap long items: what is indented below a bullet belongs to it. */
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
