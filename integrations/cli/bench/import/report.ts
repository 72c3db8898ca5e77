import { type Comparison, describeComparison, type ProblemResult } from 'rsi-loop/bench';
import { counted, percentOf, whole } from '../../../reports/words/numbers.js';
import { type Look, shellWord } from '../../terminal/look.js';
import { labelled, paragraph } from '../../terminal/page.js';
import { plain } from '../../terminal/terminal-text.js';
import type { ImportNote } from './imported.js';

export interface Version {
  readonly name: string;
  readonly runs: readonly ProblemResult[];
}

/** Result of an import, as `--json` prints it. */
export interface ImportSummary {
  readonly files: readonly { readonly path: string; readonly format: string; readonly problems: number }[];
  readonly problems: number;
  /** File with the problems, if there are any. */
  readonly out?: string;
  readonly notes: readonly ImportNote[];
  /** Recorded versions with their mean score, 0 to 1. */
  readonly versions: readonly { readonly name: string; readonly runs: number; readonly score: number }[];
  /** Each version after the first one, compared with the first. */
  readonly comparisons: readonly Comparison[];
}

const MAX_NOTES = 20;

/** Renders what was read, skipped and changed, and the recorded results. */
export function importText({ files, problems, out, notes, versions, comparisons }: ImportSummary, look: Look): string {
  const shown = notes.slice(0, MAX_NOTES);
  const lines = [
    ...files.flatMap(({ path, format, problems: count }) =>
      paragraph(plain(`${path}: ${format}, ${counted(count, 'problem')}`), look),
    ),
    ...(out === undefined ? [] : paragraph(plain(`${counted(problems, 'problem')} written to ${out}`), look)),
    ...(shown.length > 0 ? [''] : []),
    ...shown.flatMap(({ kind, item, reason }) => labelled(kind, plain(`${item}: ${reason}`), look)),
    ...(notes.length > shown.length
      ? paragraph(`${whole(notes.length - shown.length)} more notes; --json has them`, look, 0, 'dim')
      : []),
    ...(versions.length > 0 ? [''] : []),
    ...versions.flatMap(({ name, runs, score }) =>
      labelled('recorded', plain(`${name}: ${percentOf(score)} % in ${counted(runs, 'run')}`), look),
    ),
    ...comparisons.flatMap((one) => paragraph(plain(describeComparison(one)), look)),
    ...(out === undefined
      ? []
      : ['', ...paragraph(`next: bench('name', { problems: ${shellWord(out)}, run, ... }) in rsi.bench.ts`, look)]),
  ];
  return `${lines.join('\n')}\n`;
}
