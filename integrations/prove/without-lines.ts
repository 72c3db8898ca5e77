import { readBlocks } from './blocks.js';
import type { TextLine } from './text-line.js';

/** Removes lines from their text, and headings that head nothing else. Everything else keeps its bytes. */
export function withoutLines(text: string, left: ReadonlySet<TextLine>, lines: readonly TextLine[]): string {
  if (left.size === 0) return text;
  const cuts = [...left].map(({ start, end }) => ({ start, end }));
  const headings = readBlocks(text).filter(({ kind }) => kind === 'heading');
  headings.forEach(({ start, end, level = 1 }, index) => {
    const next = headings.find((heading, at) => at > index && (heading.level ?? 1) <= level);
    const until = next?.start ?? text.length;
    const own = lines.filter((line) => line.start >= end && line.start < until);
    if (own.length > 0 && own.every((line) => left.has(line))) cuts.push({ start, end });
  });
  cuts.sort((a, b) => a.start - b.start);
  let kept = '';
  let from = 0;
  for (const { start, end } of cuts) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}
