/** Rule as written in an agent's file. */
export interface WrittenRule {
  /** Identifier: letters, digits, `.`, `_` and `-`, at most 64. Usually the id of its fix. */
  readonly id: string;
  /** One line, at most 300 characters. When listed, the current text, even if a person reworded it. */
  readonly text: string;
  /** Day it was written, `YYYY-MM-DD`. */
  readonly date: string;
  /** Command or link that shows its evidence, at most 200 characters. */
  readonly evidence: string;
}

export const MAX_RULE_CHARS = 300;
const MAX_EVIDENCE_CHARS = 200;
const OPENING = '<!-- rsi-loop:rule ';
const CLOSING = ' -->';
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._]|-(?!-)){0,63}$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/**
 * Line breaks and invisible characters: control, format (bidirectional, zero-width, tags), lone surrogates, private
 * use.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/u;
const BEGINS_A_SENTENCE = /^[\p{L}\p{N}"'`(“„«]/u;
const STRUCTURE = ['<!--', '-->', '```', '~~~', 'rsi-loop:'];

/** Returns the line of a rule, without its line break. Check the rule first. */
export function writeRule({ id, text, date, evidence }: WrittenRule): string {
  return `- ${text} ${OPENING}${id} ${date} ${evidence}${CLOSING}`;
}

/**
 * Returns why a rule may not be written; `undefined` if it may. An accepted rule always stays one line of its section.
 */
export function ruleLineProblem({ id, text, date, evidence }: WrittenRule): string | undefined {
  if (!ID.test(id) || id.endsWith('-'))
    return `its id ${quotedStart(id)} is not an id: letters, digits, ".", "_" and single "-"`;
  if (!DATE.test(date)) return `its date ${quotedStart(date)} is not a day: write it as 2026-01-31`;
  if (text.length > MAX_RULE_CHARS) return `its text has ${text.length} characters of at most ${MAX_RULE_CHARS}`;
  if (text !== text.trim() || !BEGINS_A_SENTENCE.test(text))
    return 'its text does not begin and end as a sentence does';
  if (UNSEEN.test(text)) return 'its text holds a line break or a character that cannot be seen';
  const structure = STRUCTURE.find((part) => text.toLowerCase().includes(part));
  if (structure !== undefined) return `its text holds ${quotedStart(structure)}, which would end the line of the rule`;
  if (evidence === '' || evidence.length > MAX_EVIDENCE_CHARS || evidence !== evidence.trim()) {
    return `its evidence ${quotedStart(evidence)} is not a link: 1 to ${MAX_EVIDENCE_CHARS} characters`;
  }
  if (UNSEEN.test(evidence) || /[<>]|--/.test(evidence))
    return `its evidence ${quotedStart(evidence)} would end its comment`;
  return undefined;
}

/** Returns the rule in a list item; `undefined` if there is none, `damaged` if its comment cannot be read. */
export function readRule(item: string): WrittenRule | 'damaged' | undefined {
  const start = item.indexOf('rsi-loop:rule');
  if (start < 0) return undefined;
  const from = start - OPENING.indexOf('rsi-loop:rule');
  const end = item.indexOf(CLOSING, start);
  if (end < 0 || !item.startsWith(OPENING, from) || item.includes('rsi-loop:rule', end)) return 'damaged';
  const [id = '', date = '', ...evidence] = item.slice(from + OPENING.length, end).split(' ');
  if (!ID.test(id) || !DATE.test(date) || evidence.length === 0) return 'damaged';
  // People write before and behind the comment.
  const text = `${item.slice(0, from).trimEnd()} ${item.slice(end + CLOSING.length).trimStart()}`;
  return { id, text: text.replace(/^\s*[-*+]\s/, '').trim(), date, evidence: evidence.join(' ') };
}

function quotedStart(value: string): string {
  return JSON.stringify(value.slice(0, 80));
}
