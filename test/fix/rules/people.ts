/** A file as it is, and as it would be if only people had edited it. */
export interface Edited {
  readonly text: string | undefined;
  readonly people: string | undefined;
}

/** Puts a line of a person's own before line number `at` of the file, wherever our lines stand by then. */
export function writeByHand({ text, people }: Edited, at: number, own: string): Edited {
  const file = linesOf(text);
  const theirs = linesOf(people);
  const place = file.lines.length === 0 ? 0 : at % file.lines.length;
  const above = file.lines.slice(0, place).filter((line) => !line.includes('rsi-loop'));
  const before = above.length;
  const written = file.bom + [...file.lines.slice(0, place), `${own}\n`, ...file.lines.slice(place)].join('');
  const isAfterOpenEnd = before === theirs.lines.length && before > 0 && !theirs.lines.at(-1)?.endsWith('\n');
  // Where the open end of a file stood, a break stands now: the person's line is then the one without.
  const lineBreak = above.at(-1)?.slice(theirs.lines.at(-1)?.length) ?? '';
  const last = isAfterOpenEnd ? [lineBreak, own] : [`${own}\n`];
  return {
    text: written,
    people: theirs.bom + [...theirs.lines.slice(0, before), ...last, ...theirs.lines.slice(before)].join(''),
  };
}

function linesOf(text = ''): { readonly bom: string; readonly lines: readonly string[] } {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  return { bom, lines: text.slice(bom.length).match(/[^\n]*\n|[^\n]+$/g) ?? [] };
}
