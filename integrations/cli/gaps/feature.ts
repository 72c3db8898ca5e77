export const FEATURE_KINDS = ['command', 'option', 'entry', 'topic', 'export', 'script'] as const;
export type FeatureKind = (typeof FEATURE_KINDS)[number];

/** Something that a project offers, and the place that says so. */
export interface Feature {
  readonly kind: FeatureKind;
  /** As it is written there. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

const FILLERS: ReadonlySet<string> = new Set(
  'a an and are as at be by can do does for from get getting how i in is it its my of on or our the this to use using what when with you your'.split(
    ' ',
  ),
);

/** Splits a name or a heading into comparable words: `exportOutcomes`, `--export-outcome` and `Export outcomes` are equal. */
export function wordsOf(name: string): readonly string[] {
  const words = name
    .slice(0, 200)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !FILLERS.has(word));
  return words.map((word) => (word.length > 3 && !word.endsWith('ss') ? word.replace(/s$/, '') : word));
}

/** Key by which two features are the same. The order of words counts in names only. */
export function featureKey({ kind, name }: Pick<Feature, 'kind' | 'name'>): string {
  const words = wordsOf(name);
  return (kind === 'topic' ? [...new Set(words)].sort() : words).join(' ');
}

/** Returns the line of a position, from 1. Call it with rising positions. */
export function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (at) => {
    for (let next = text.indexOf('\n', from); next !== -1 && next < at; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return line;
  };
}
