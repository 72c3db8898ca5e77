import type { TextLine } from 'rsi-loop/prove';

/** Neighbouring lines under test, which one marker replaces in the file. */
export interface MarkedPart {
  /** First and last line under test, from 1. */
  readonly from: number;
  readonly to: number;
  /** Bytes of the original text, with everything between the lines. */
  readonly text: string;
}

export interface MarkedText {
  readonly text: string;
  readonly parts: readonly MarkedPart[];
}

const ANY = /<!-- rsi-loop:prove [^<>]*-->/;

/** Whether the text holds a marker of any study. */
export function hasMarker(text: string): boolean {
  return ANY.test(text);
}

/** Replaces the lines under test by markers. Each marker is one comment, which agents do not read as text. */
export function putMarkers(text: string, lines: readonly TextLine[], id: string, note: string): MarkedText {
  const parts: MarkedPart[] = [];
  let marked = '';
  let from = 0;
  let number = 0;
  for (let index = 0; index < lines.length; index++) {
    const first = lines[index];
    if (!first || first.kept !== undefined) continue;
    let last = first;
    const begin = ++number;
    for (let next = lines[index + 1]; next && isNext(text, last, next); next = lines[index + 1]) {
      last = next;
      index++;
      number++;
    }
    const part = { from: begin, to: number, text: text.slice(first.start, last.end) };
    const lineBreak = /(?:\r\n|\n|\r)$/.exec(part.text)?.[0] ?? '';
    const words = parts.length === 0 ? `: ${note}` : '';
    marked += `${text.slice(from, first.start)}<!-- ${nameOf(id, part)}${words} -->${lineBreak}`;
    from = last.end;
    parts.push(part);
  }
  return { text: marked + text.slice(from), parts };
}

/** Returns the parts whose marker is in the text exactly once. */
export function markedParts(text: string, id: string, parts: readonly MarkedPart[]): readonly MarkedPart[] {
  return parts.filter((part) => text.split(`<!-- ${nameOf(id, part)}`).length === 2);
}

/** Puts the parts back in place of their markers. Parts without a marker are added at the end, so none is lost. */
export function replaceMarkers(
  text: string,
  id: string,
  parts: readonly MarkedPart[],
): { readonly text: string; readonly added: readonly MarkedPart[] } {
  let whole = text;
  const added: MarkedPart[] = [];
  for (const part of parts) {
    const marker = new RegExp(`<!-- ${nameOf(id, part)}[^>]*-->(?:\\r\\n|\\n|\\r)?`);
    if (marker.test(whole)) whole = whole.replace(marker, () => part.text);
    else added.push(part);
  }
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  for (const { text: own } of added) whole += `${whole === '' || /[\r\n]$/.test(whole) ? '' : lineBreak}${own}`;
  return { text: whole, added };
}

function nameOf(id: string, { from, to }: Pick<MarkedPart, 'from' | 'to'>): string {
  return `rsi-loop:prove ${id} ${from}-${to}`;
}

/** Whether only blank space is between two lines that may be left out. */
function isNext(text: string, last: TextLine, next: TextLine): boolean {
  return next.kept === undefined && text.slice(last.end, next.start).trim() === '';
}
