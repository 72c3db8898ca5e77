import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Command } from 'commander';
import { HINTS } from '../../integrations/cli/hints.js';
import { programOf } from '../../integrations/cli/program.js';
import { DAILY, findRow } from '../../integrations/cli/table.js';
import { columns } from '../../integrations/cli/terminal/terminal-text.js';
import { REPOSITORY, SHIPPED_PAGES } from '../manual.js';
import { ROOT } from './tree.js';

/** Words of statistics and of the code, which a first page must not need. */
const TERMS =
  /\b(?:decision \d{4}|e-values?|e-LOND|e-BH|martingale|supermartingale|policy|hold-?out|estimand|alpha)\b/g;

const WIDTH = 80;

/** Figures of what a newcomer reads first. */
export interface FrontDoor {
  readonly readmeLines: number;
  /** Terms of the README that it does not explain. */
  readonly terms: readonly string[];
  readonly deadLinks: readonly string[];
  readonly verbsInHelp: number;
  /** Lines of all help texts that are wider than 80 columns. */
  readonly wideLines: readonly string[];
  /** Hints that name no verb. */
  readonly deadHints: readonly string[];
}

export async function readFrontDoor(): Promise<FrontDoor> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const all = await programOf(() => {}, { width: WIDTH });
  const daily = await programOf(() => {}, { width: WIDTH, groups: DAILY });
  const lines = [daily, all, ...all.commands].flatMap((command) => helpOf(command).split('\n'));
  return {
    readmeLines: readme.split('\n').length,
    terms: readme.match(TERMS) ?? [],
    deadLinks: SHIPPED_PAGES.flatMap((page) => deadLinksIn(page, readFileSync(join(ROOT, page), 'utf8'))),
    verbsInHelp: daily.commands.length,
    wideLines: lines.filter((line) => columns(line) > WIDTH),
    deadHints: Object.values(HINTS)
      .flat()
      .filter((hint) => !hint.startsWith('-') && findRow(hint.split(/[ ,]/)[0]) === undefined),
  };
}

/** Returns the links of a page that lead nowhere in the package or in the repository. */
export function deadLinksIn(page: string, text: string): readonly string[] {
  const shipped: readonly string[] = SHIPPED_PAGES;
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (link.startsWith(REPOSITORY)) return !existsSync(join(ROOT, link.slice(REPOSITORY.length).split('#')[0] ?? ''));
    return !/^(?:https?:|mailto:|#)/.test(link) && !shipped.includes(posix.join(dirname(page), link));
  });
}

/** Returns a help text as it is printed, with the text after it. */
export function helpOf(command: Command): string {
  let text = '';
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return text;
}
