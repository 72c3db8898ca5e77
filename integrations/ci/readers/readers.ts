import type { ReportReader } from '../test-case.js';
import { go } from './go.js';
import { jest } from './jest.js';
import { junit } from './junit.js';
import { log } from './log.js';
import { playwright } from './playwright.js';
import { tap } from './tap.js';

/** Readers of all formats, in the order in which they are tried. */
export const READERS: readonly ReportReader[] = [junit, go, playwright, jest, tap, log];

/** Names that `--format` accepts. */
export const FORMATS: readonly string[] = ['junit', 'vitest', 'jest', 'playwright', 'tap', 'go', 'log'];

/** Returns the reader of a format; vitest writes the JSON of jest. */
export function readerOf(format: string): ReportReader | undefined {
  return READERS.find(({ name }) => name === (format === 'vitest' ? 'jest' : format));
}
