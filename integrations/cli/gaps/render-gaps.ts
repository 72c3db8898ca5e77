import { counted } from '../../reports/words/numbers.js';
import { cut, plain } from '../terminal/terminal-text.js';
import { FEATURE_KINDS, type FeatureKind } from './feature.js';
import type { Gap } from './find-gaps.js';
import type { Project } from './read-project.js';

/** Longest name or place shown. */
const MAX_NAME = 120;

const TITLES: Readonly<Record<FeatureKind, string>> = {
  command: 'Commands',
  option: 'Options',
  entry: 'Entry points',
  export: 'Exports',
  script: 'Scripts',
  topic: 'Topics of the documents',
};

export interface GapReport {
  readonly own: Project;
  readonly others: readonly Project[];
  readonly gaps: readonly Gap[];
  /** Gaps listed per kind at most. */
  readonly limit: number;
  /** Sentences of a model, by the id of the gap. */
  readonly words: ReadonlyMap<string, string>;
  readonly wordedBy?: string | undefined;
}

/** Renders the gaps as Markdown: a task list with the evidence of each, to paste into an issue. */
export function renderGaps(report: GapReport): string {
  const { own, others, gaps, words, wordedBy } = report;
  const verb = others.length === 1 ? 'offers' : 'offer';
  const lines = [`# What ${listed(others.map(({ name }) => name))} ${verb} and ${text(own.name)} does not`, ''];
  for (const project of [own, ...others]) lines.push(`- ${code(project.name)}: ${countsOf(project)}`);
  if (gaps.length === 0) lines.push('', 'No gaps found.');
  for (const kind of FEATURE_KINDS) lines.push(...sectionOf(kind, report));
  const skipped = [own, ...others].flatMap(({ name, skipped }) =>
    skipped.map((line) => `- ${code(name)}: ${text(line)}`),
  );
  if (skipped.length > 0) lines.push('', '## Not read', '', ...skipped);
  if (words.size > 0) lines.push('', `Sentences in quotation marks were worded by ${text(wordedBy ?? 'a model')}.`);
  return `${lines.join('\n')}\n`;
}

function sectionOf(kind: FeatureKind, { gaps, others, limit, words }: GapReport): readonly string[] {
  const ofKind = gaps.filter((gap) => gap.kind === kind);
  if (ofKind.length === 0) return [];
  const shown = ofKind.slice(0, limit);
  const lines = ['', `## ${TITLES[kind]}`, ''];
  for (const { id, name, evidence, near } of shown) {
    const places = evidence.map(({ project, file, line }) =>
      code(others.length > 1 ? `${project}/${file}:${line}` : `${file}:${line}`),
    );
    lines.push(`- [ ] ${code(name)}${others.length > 1 ? ` (${evidence.length} of ${others.length})` : ''} ${id}`);
    lines.push(`  in ${places.join(', ')}`);
    if (near) lines.push(`  near ${code(near.name)} in ${code(`${near.file}:${near.line}`)}`);
    const sentence = words.get(id);
    if (sentence !== undefined) lines.push(`  “${text(sentence)}”`);
  }
  const more = ofKind.length - shown.length;
  return more > 0 ? [...lines, '', `and ${more} more: --limit shows more, --json all`] : lines;
}

function countsOf({ features }: Project): string {
  const counts = FEATURE_KINDS.flatMap((kind) => {
    const count = new Set(features.filter((feature) => feature.kind === kind).map(({ name }) => name)).size;
    return count === 0 ? [] : [kind === 'entry' ? counted(count, 'entry', 'entries') : counted(count, kind)];
  });
  return counts.join(', ') || 'nothing found';
}

function listed(names: readonly string[]): string {
  const last = text(names.at(-1) ?? '');
  return names.length === 1 ? last : `${names.slice(0, -1).map(text).join(', ')} and ${last}`;
}

/** Quotes a text of another project. A backtick would end the quotation. */
function code(given: string): string {
  return `\`${cut(plain(given), MAX_NAME).replaceAll('`', "'")}\``;
}

function text(given: string): string {
  return plain(given).replace(/[[\]<>`*_|\\]/g, (sign) => `\\${sign}`);
}
