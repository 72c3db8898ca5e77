import { ruleLineProblem, type WrittenRule, writeRule } from './rule-line.js';
import { BEGIN, END, NOTE, NOTE_OF_OWN_FILE, readSection, type SectionedFile, type SectionRefused } from './section.js';

/** Result of adding or removing one rule. */
export type SectionEdit =
  | {
      readonly kind: 'edited';
      /** New content of the file; `undefined` if the file must not exist, as before its first rule. */
      readonly text: string | undefined;
      /** Rules removed to free space, least useful first. */
      readonly retired: readonly WrittenRule[];
    }
  /** The file is already as it should be. */
  | { readonly kind: 'unchanged' }
  | SectionRefused;

export interface AddRuleOptions {
  /** Maximum size of the section with its markers, in bytes of UTF-8. Default 8,192, about 2,000 tokens. */
  readonly maxBytes?: number;
  /** Returns the value of keeping a rule. The lowest is removed first, among equals the oldest. Default: all equal. */
  readonly usefulness?: (rule: WrittenRule) => number;
}

const MAX_SECTION_BYTES = 8_192;

/** Returns the rules of a file in order, or a rejection if its section is damaged. `undefined` means no file. */
export function listRules(
  text: string | undefined,
): { readonly kind: 'rules'; readonly rules: readonly WrittenRule[] } | SectionRefused {
  const file = readSection(text ?? '');
  if (file.kind === 'refused') return file;
  return { kind: 'rules', rules: (file.section?.rules ?? []).map(({ rule }) => rule) };
}

/**
 * Writes a rule into the section of a file and creates the section if missing. An existing rule stays unchanged, even
 * if a person reworded it. `removeRule` restores the previous bytes, unless rules were removed to free space.
 */
export function addRule(text: string | undefined, rule: WrittenRule, options: AddRuleOptions = {}): SectionEdit {
  const problem = ruleLineProblem(rule);
  if (problem !== undefined) return { kind: 'refused', why: 'not-allowed', message: `rule ${idOf(rule)}: ${problem}` };
  const file = readSection(text ?? '');
  if (file.kind === 'refused') return file;
  if (file.section?.rules.some(({ rule: { id } }) => id === rule.id)) return { kind: 'unchanged' };
  const grown = file.section ? insert(file, rule) : create(text, file, rule);
  return makeRoom(grown, rule, options);
}

/** Removes a rule from the section of a file. A section that was created here is removed with its last rule. */
export function removeRule(text: string | undefined, id: string): SectionEdit {
  const file = readSection(text ?? '');
  if (file.kind === 'refused') return file;
  if (!file.section?.rules.some(({ rule }) => rule.id === id)) return { kind: 'unchanged' };
  return { kind: 'edited', text: withoutRule(file, id), retired: [] };
}

/** Removes the least useful rules until the section fits. */
function makeRoom(grown: string, rule: WrittenRule, options: AddRuleOptions): SectionEdit {
  const { maxBytes = MAX_SECTION_BYTES, usefulness = () => 0 } = options;
  const retired: WrittenRule[] = [];
  for (let text = grown; ; ) {
    const file = readSection(text);
    if (file.kind === 'refused') return file;
    const bytes = sectionBytes(file);
    if (bytes <= maxBytes) return { kind: 'edited', text, retired };
    const others = (file.section?.rules ?? []).map((one) => one.rule).filter(({ id }) => id !== rule.id);
    const [least] = others
      .map((one) => ({ one, worth: usefulness(one) }))
      .sort((a, b) => a.worth - b.worth || (a.one.date + a.one.id < b.one.date + b.one.id ? -1 : 1));
    if (!least) {
      const message = `the section would have ${bytes} bytes of at most ${maxBytes}: shorten what people wrote in it`;
      return { kind: 'refused', why: 'full', message };
    }
    retired.push(least.one);
    text = withoutRule(file, least.one.id) ?? '';
  }
}

function sectionBytes({ lines, section }: SectionedFile): number {
  if (!section) return 0;
  return new TextEncoder().encode(lines.slice(section.begin, section.end + 1).join('')).byteLength;
}

/**
 * Returns the file with a new section of whole lines at the end. If the file did not end with a line break, the section
 * does not either. This records what the file was like before.
 */
function create(text: string | undefined, { bom, lines }: SectionedFile, rule: WrittenRule): string {
  const lineBreak = usualBreak(lines);
  const note = text === undefined ? NOTE_OF_OWN_FILE : NOTE;
  const section = [BEGIN, note, writeRule(rule), END].join(lineBreak);
  const before = lines.join('');
  const isOpen = before !== '' && !before.endsWith('\n');
  return bom + (isOpen ? before + lineBreak + section : before + section + lineBreak);
}

/** Inserts a rule after the last rule, or as the last line of the section. */
function insert({ bom, lines, section }: SectionedFile, rule: WrittenRule): string {
  if (!section) return bom + lines.join('');
  const lineBreak = breakOf(lines[section.begin]) || '\n';
  const at = section.rules.at(-1)?.to ?? section.end;
  return bom + [...lines.slice(0, at), writeRule(rule) + lineBreak, ...lines.slice(at)].join('');
}

function withoutRule({ bom, lines, section }: SectionedFile, id: string): string | undefined {
  const taken = section?.rules.find(({ rule }) => rule.id === id);
  if (!section || !taken) return bom + lines.join('');
  const isLast = section.rules.length === 1 && section.note !== undefined;
  const isOurs = (index: number) => index === section.begin || index === section.note || index === section.end;
  const inside = lines.slice(section.begin + 1, section.end).filter((_, index) => {
    const at = index + section.begin + 1;
    return at !== section.note && !(at >= taken.from && at < taken.to);
  });
  // Blank lines that a formatter added around the rules are removed too. Text that a person wrote between them stays.
  const isBare = inside.every((line) => line.trim() === '');
  const kept = lines.filter((_, index) => {
    if (index >= taken.from && index < taken.to) return false;
    if (!isLast) return true;
    if (isBare) return index < section.begin || index > section.end;
    return !isOurs(index);
  });
  if (isLast && section.ownsFile && kept.length === 0 && bom === '') return undefined;
  const isOpen = isLast && breakOf(lines[section.end]) === '' && kept.length > 0;
  if (!isOpen) return bom + kept.join('');
  const open = kept.pop() ?? '';
  // Removes only the line break that was added: a file may end with a lone carriage return.
  const added = open.endsWith(breakOf(lines[section.begin])) ? breakOf(lines[section.begin]) : breakOf(open);
  return bom + kept.join('') + open.slice(0, open.length - added.length);
}

/** Returns the line break that most lines of a file end with. */
function usualBreak(lines: readonly string[]): string {
  const windows = lines.filter((line) => line.endsWith('\r\n')).length;
  const unix = lines.filter((line) => line.endsWith('\n')).length - windows;
  return windows > unix ? '\r\n' : '\n';
}

function breakOf(line = ''): string {
  if (line.endsWith('\r\n')) return '\r\n';
  return line.endsWith('\n') ? '\n' : '';
}

function idOf({ id }: WrittenRule): string {
  return JSON.stringify(String(id).slice(0, 64));
}
