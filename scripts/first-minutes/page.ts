/** Section of `docs/first-minutes.md`: one way in, from an empty folder to the first pattern. */
export interface Section {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Block of a section, in the order of the page. */
export type Step =
  | { readonly kind: 'commands'; readonly code: string }
  | { readonly kind: 'file'; readonly name: string; readonly code: string }
  | { readonly kind: 'shows'; readonly code: string };

const BLOCK = /^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm;

/** Reads the sections that have commands. Blocks of code that are no whole file are left out. */
export function readSections(markdown: string): readonly Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ title: text.split('\n')[0]?.trim() ?? '', steps: [...text.matchAll(BLOCK)].flatMap(stepOf) }))
    .filter(({ steps }) => steps.some(({ kind }) => kind === 'commands'));
}

function stepOf([, language, info = '', code = '']: RegExpMatchArray): readonly Step[] {
  if (language === 'sh') return [{ kind: 'commands', code }];
  if (language === 'text') return [{ kind: 'shows', code }];
  const name = /fragment: (\S+\.mjs),/.exec(info)?.[1];
  return name === undefined ? [] : [{ kind: 'file', name, code }];
}

/** Lines of a `text` block that the output does not have. Spaces and the rest of a line do not count. */
export function missingLines(shown: string, output: string): readonly string[] {
  const squeezed = output.replace(/[ \t]+/g, ' ');
  const lines = shown.split('\n').map((line) => line.trim().replace(/[ \t]+/g, ' '));
  return lines.filter((line) => line !== '' && !squeezed.includes(line));
}
