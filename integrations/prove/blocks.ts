/** Block of a Markdown text, as far as leaving parts out needs it. */
export interface Block {
  /** `item`: a list item with everything indented below it. `code` and `paragraph` include tables and quotes. */
  readonly kind: 'item' | 'paragraph' | 'heading' | 'comment';
  readonly start: number;
  /** After the last line break. */
  readonly end: number;
  /** Nearest heading above, without its `#`. */
  readonly heading?: string;
  /** Level of a heading, 1 to 6. */
  readonly level?: number;
}

interface RawLine {
  readonly start: number;
  readonly end: number;
  /** Without its line break. */
  readonly text: string;
}

interface OpenBlock extends Block {
  end: number;
  readonly firstLine: string;
  lastLine: string;
}

const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const INDENTED = /^(?: {2,}|\t)/;

/** Splits a text into blocks, in order. Blank lines, rules and the front matter belong to none. */
export function readBlocks(text: string): readonly Block[] {
  const reader = new BlockReader();
  for (const line of withoutFrontMatter(text)) reader.read(line);
  return reader.blocks;
}

function withoutFrontMatter(text: string): readonly RawLine[] {
  const lines = [...text.matchAll(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g)].map(({ 0: whole, index }) => ({
    start: index,
    end: index + whole.length,
    text: (index === 0 ? whole.replace(/^\ufeff/, '') : whole).replace(/(?:\r\n|\n|\r)$/, ''),
  }));
  if (lines[0]?.text.trimEnd() !== '---') return lines;
  const end = lines.findIndex(({ text: line }, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? lines : lines.slice(end + 1);
}

class BlockReader {
  readonly blocks: OpenBlock[] = [];
  /** Block that the next line may continue. */
  #open: OpenBlock | undefined;
  /** End of the code block or comment that is being read. */
  #until: RegExp | undefined;
  #isAfterBlank = false;
  #heading: string | undefined;

  read(line: RawLine): void {
    if (this.#until) this.#readInside(line);
    else if (line.text.trim() === '') this.#isAfterBlank = true;
    else {
      this.#readContent(line);
      this.#isAfterBlank = false;
    }
  }

  /** Reads a line of a code block or a comment. */
  #readInside(line: RawLine): void {
    this.#extend(line);
    if (!this.#until?.test(line.text)) return;
    this.#until = undefined;
    if (this.#open?.kind === 'comment') this.#open = undefined;
  }

  #readContent(line: RawLine): void {
    const { text } = line;
    const isContinued = this.#open !== undefined && !this.#isAfterBlank;
    const isInItem = this.#open?.kind === 'item' && INDENTED.test(text);
    if (FENCE.test(text)) this.#beginFence(line, isContinued || isInItem);
    else if (isInItem) this.#extend(line);
    else if (HEADING.test(text)) this.#readHeading(line);
    else if (text.trimStart().startsWith('<!--')) this.#beginComment(line);
    else if (isContinued && this.#open?.kind === 'paragraph' && UNDERLINE.test(text)) this.#underline(line);
    else if (RULE.test(text)) this.#open = undefined;
    else if (ITEM.test(text)) this.#add(line, 'item');
    else if (isContinued) this.#extend(line);
    else this.#add(line, 'paragraph');
  }

  /** A code block belongs to the block right above it, and to a paragraph above that announces it with a colon. */
  #beginFence(line: RawLine, belongs: boolean): void {
    const fence = FENCE.exec(line.text)?.[1] ?? '```';
    if (belongs || this.#open?.lastLine.trimEnd().endsWith(':')) this.#extend(line);
    else this.#add(line, 'paragraph');
    this.#until = new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`);
  }

  #beginComment(line: RawLine): void {
    this.#add(line, 'comment');
    if (line.text.includes('-->')) this.#open = undefined;
    else this.#until = /-->/;
  }

  #readHeading(line: RawLine): void {
    const [, marks = '', title = ''] = HEADING.exec(line.text) ?? [];
    this.#addHeading(line, title, marks.length);
  }

  #addHeading({ start, end }: RawLine, title: string, level: number): void {
    this.#heading = title;
    this.blocks.push({ kind: 'heading', start, end, firstLine: '', lastLine: '', level });
    this.#open = undefined;
  }

  /** Turns a paragraph with a line of `=` or `-` below it into a heading. */
  #underline(line: RawLine): void {
    const title = this.blocks.pop();
    const level = line.text.includes('=') ? 1 : 2;
    this.#addHeading({ ...line, start: title?.start ?? line.start }, title?.firstLine.trim() ?? '', level);
  }

  #add({ start, end, text }: RawLine, kind: Block['kind']): void {
    const heading = this.#heading;
    this.#open = { kind, start, end, firstLine: text, lastLine: text, ...(heading !== undefined && { heading }) };
    this.blocks.push(this.#open);
  }

  #extend({ end, text }: RawLine): void {
    if (!this.#open) return;
    this.#open.end = end;
    this.#open.lastLine = text;
  }
}
