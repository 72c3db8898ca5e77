import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Code block of a page: fenced, or indented by four spaces. */
export interface CodeBlock {
  /** Line of its fence, or its first line. */
  readonly line: number;
  /** Word after the fence; empty for an indented block. */
  readonly language: string;
  /** File in `examples/` that the fence or the comment above it names. */
  readonly file: string | undefined;
  /** Reason why the block is a part of a program that cannot run alone: `ts fragment: the client is yours`. */
  readonly fragment: string | undefined;
  readonly isIndented: boolean;
  readonly code: string;
}

const FENCE = /^(`{3,})([\w-]*)[ \t]*(.*)$/;
const EXAMPLE = /(?:^|[\s"'=])(examples\/[\w./-]+)/;
const INDENTED = /^(?: {4}|\t)/;

/** Returns the code blocks of a Markdown page, in its order. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: CodeBlock[] = [];
  for (let start = 0; start < lines.length; start++) {
    const opening = FENCE.exec(lines[start] ?? '');
    const isIndented = !opening && begins(lines, start);
    if (!opening && !isIndented) continue;
    const end = isIndented ? endOfIndented(lines, start) : endOfFence(lines, start, opening?.[1] ?? '');
    const [, , language = '', info = ''] = opening ?? [];
    const above = lines.slice(0, start).findLast((line) => line.trim() !== '') ?? '';
    const body = isIndented
      ? lines.slice(start, end).map((line) => line.replace(INDENTED, ''))
      : lines.slice(start + 1, end);
    blocks.push({
      line: start + 1,
      language,
      file: EXAMPLE.exec(info)?.[1] ?? (above.startsWith('<!--') ? EXAMPLE.exec(above)?.[1] : undefined),
      fragment: /\bfragment: (.+)/.exec(info)?.[1],
      isIndented,
      code: body.join('\n'),
    });
    // The line after an indented block may open the next one.
    start = isIndented ? end - 1 : end;
  }
  return blocks;
}

/** True if an indented block begins at `line`: after a blank line, and not inside of a list. */
function begins(lines: readonly string[], line: number): boolean {
  if (!INDENTED.test(lines[line] ?? '') || lines[line]?.trim() === '' || lines[line - 1]?.trim() !== '') return false;
  const above = lines.slice(0, line).findLast((text) => text.trim() !== '') ?? '';
  return !/^\s*(?:[-*]|\d+\.) /.test(above);
}

function endOfIndented(lines: readonly string[], start: number): number {
  const end = lines.findIndex((text, index) => index > start && text.trim() !== '' && !INDENTED.test(text));
  return end === -1 ? lines.length : end;
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  const end = lines.findIndex((text, index) => index > start && text.trim() === fence);
  return end === -1 ? lines.length : end;
}

const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });

/** Pages that users read, by their path, with `/`. */
export const PAGES: readonly string[] = [
  'README.md',
  ...inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file.replaceAll('\\', '/')}`),
];

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** Returns the text of an example, or undefined if there is no such file. */
export function readExample(file: string): string | undefined {
  return existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined;
}
