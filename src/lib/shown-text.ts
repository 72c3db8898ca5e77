import { hashHex } from './hash.js';
import { readAs } from './must-be.js';

/**
 * Formats recorded texts for the user part of a request, each between two delimiter lines. The delimiter is derived
 * from the texts, so that none of them can contain it.
 */
export function delimited(records: readonly (readonly [label: string, text: string])[]): string {
  return readAs('records', 'pairs of label and text', () => {
    const mark = hashHex(JSON.stringify(records));
    return records
      .map(([label, text]) => `[${label} ${mark}\n${text.replaceAll(mark, '')}\n${mark} ${label}]`)
      .join('\n\n');
  });
}
