import { drafting, recordedText } from 'rsi-loop/kit';
import { checkDraft } from './check-draft.js';
import { findCopied, markSentences, newSentences } from './marks.js';
import type { CheckedDraft, PromptDrafting, PromptQuestion, PromptWriter } from './writer.js';

/** Drafts of one answer that are read. */
const MAX_DRAFTS = 8;
const MAX_WHY = 300;
const TIMEOUT_MS = 600_000;
/** Characters that a draft may always add, beside being twice as long. */
const MAY_ADD = 2_000;

/**
 * Returns the option `writer` of `namedTexts` for any writer of texts. Each draft is checked: placeholders, length,
 * secrets, recorded words. Sentences that a person should read with care are marked. A question times out after 10
 * minutes by default.
 */
export function draftsBy(writer: PromptWriter, timeoutMs = TIMEOUT_MS): PromptDrafting {
  return {
    open: ({ clock, hasSecret, report }) =>
      new drafting.AskedDrafts<PromptQuestion, CheckedDraft>({
        writer,
        clock,
        noun: 'text',
        otherwise: 'the text stays as it is',
        report,
        timeoutMs,
        maxDrafts: MAX_DRAFTS,
        read: (draft, question) => readDraft(draft, question, { hasSecret, by: writer.name }),
      }),
  };
}

function readDraft(
  draft: unknown,
  question: PromptQuestion,
  { hasSecret, by }: { readonly hasSecret: (text: string) => boolean; readonly by: string },
): CheckedDraft | string {
  if (typeof draft !== 'object' || draft === null) return 'it is not an object';
  const { text, why, parents } = draft as Record<string, unknown>; // any key of an object can be read
  const { name, text: base, version } = question;
  const problem = checkDraft(text, {
    base,
    hasSecret,
    maxLength: Math.max(2 * base.length, base.length + MAY_ADD),
  });
  if (problem !== undefined || typeof text !== 'string') return problem ?? 'it has no text';
  if (typeof why !== 'string') return 'it does not say why';
  const records = recordsOf(question);
  const sentences = newSentences(text, [base, ...question.proven.map((one) => one.text)].join('\n'));
  const copied = findCopied(sentences, base, records);
  if (copied !== undefined) return `it repeats recorded words: “${recordedText(copied, 80)}”`;
  const lineage = readParents(parents, question);
  return {
    name,
    text,
    by,
    base: version,
    why: recordedText(why, MAX_WHY),
    marks: [readAll(sentences.length, by), ...markSentences(sentences, base, records)],
    ...(lineage && { parents: lineage }),
  };
}

/** Returns the mark of every draft: its writer read records that anyone could have written. */
function readAll(count: number, by: string): string {
  const sentences = count === 1 ? '1 new sentence' : `${count} new sentences`;
  return `${sentences} by ${recordedText(by, 80)}, after reading recorded failures: read each one`;
}

/** Returns every recorded text that a writer may have read. */
function recordsOf({ pattern, failures, successes }: PromptQuestion): readonly string[] {
  const stated = (pattern.differences ?? []).flatMap(({ expected = '', actual }) => [expected, actual]);
  return [pattern.task, pattern.template, ...pattern.examples, ...stated, ...failures, ...successes];
}

function readParents(parents: unknown, { proven }: PromptQuestion): readonly string[] | undefined {
  if (!Array.isArray(parents)) return undefined;
  const known = parents.filter((one): one is string => proven.some(({ version }) => version === one));
  return known.length > 1 ? known : undefined;
}
