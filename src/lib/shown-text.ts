import { hashHex } from './hash.js';

/**
 * Recorded texts for the user part of a request, each between two lines that hold a mark. The mark is made of the texts,
 * so that none of them can contain it.
 */
export function delimited(records: readonly (readonly [label: string, text: string])[]): string {
  const mark = hashHex(JSON.stringify(records));
  return records
    .map(([label, text]) => `[${label} ${mark}\n${text.replaceAll(mark, '')}\n${mark} ${label}]`)
    .join('\n\n');
}
