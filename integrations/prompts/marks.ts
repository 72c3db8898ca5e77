import { drafting, recordedText } from 'rsi-loop/kit';

/** Share of a sentence's new words that the records contain, from which it counts as taken from them. */
const FROM_RECORDS = 0.5;
const MIN_WORDS = 3;
const MAX_MARKS = 20;
const MAX_SHOWN = 160;

/** Returns the sentences of a draft that the text before does not have. */
export function newSentences(draft: string, base: string): readonly string[] {
  const known = new Set(sentencesOf(base));
  return sentencesOf(draft).filter((sentence) => !known.has(sentence));
}

/** Returns the first new sentence that repeats a record; undefined if none does. */
export function findCopied(sentences: readonly string[], base: string, records: readonly string[]): string | undefined {
  const told = records.filter((record) => !base.includes(record));
  return sentences.find((sentence) =>
    told.some((record) => drafting.isCopied(sentence, record) && !drafting.isCopied(sentence, base)),
  );
}

/**
 * Returns the new sentences that a person should read with care, each with the reason: those with an address, code or a
 * request of a known sort, and those whose words come from the records. Empty does not mean harmless.
 */
export function markSentences(
  sentences: readonly string[],
  base: string,
  records: readonly string[],
): readonly string[] {
  const [known, recorded] = [wordsOf(base), wordsOf(records.join(' '))];
  const marks = sentences.flatMap((sentence) => {
    const plain = sentence.replace(/\$?\{{1,2}[^{}]*\}{1,2}/g, ' ').replace(/^[\s#*>-]+|[*_`]/g, '');
    const fresh = [...wordsOf(plain)].filter((word) => !known.has(word));
    const fromRecords = fresh.filter((word) => recorded.has(word)).length;
    const isTaken = fresh.length >= MIN_WORDS && fromRecords >= FROM_RECORDS * fresh.length;
    const why = drafting.findSuspect(plain) ?? (isTaken ? 'its words come from recorded failures' : undefined);
    return why === undefined ? [] : [`“${recordedText(sentence, MAX_SHOWN)}”: ${why}`];
  });
  return marks.slice(0, MAX_MARKS);
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?。！？])\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Words of three letters or more, cut to their first five letters so that endings do not matter. */
function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, STEM)));
}

const STEM = 5;
