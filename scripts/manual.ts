import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** Address of the repository's files. Pages that travel with the package name other pages by it, so that links always lead somewhere. */
export const REPOSITORY = 'https://github.com/OWNER/rsi-loop/blob/main/';

/** Pages of the package that people open there. Their relative links lead to each other only. */
export const SHIPPED_PAGES = [
  'README.md',
  'docs/guides/coding-agents.md',
  'docs/guides/build-an-agent.md',
  'docs/guides/teams.md',
] as const;

/** Pages of the manual for coding agents, in reading order: the tasks of a user, without components and decisions. */
const MANUAL_PAGES = [
  ...SHIPPED_PAGES,
  'docs/run.md',
  'docs/loop.md',
  'docs/clients.md',
  'docs/sources/README.md',
  'docs/rules.md',
  'docs/prove.md',
  'docs/ci.md',
  'docs/config.md',
  'docs/promises.md',
  'docs/faq.md',
] as const;

export const MANUAL = 'llms-full.txt';

/** Joins the pages of the manual. Each begins with the address that others link to. */
export function manual(): string {
  const pages = MANUAL_PAGES.map((page) => `<!-- ${REPOSITORY}${page} -->\n\n${absolute(page)}`);
  return `${pages.join('\n\n')}\n`;
}

export function writeManual(folder: string): void {
  writeFileSync(join(folder, MANUAL), manual());
}

/** Returns a page whose links to files of the repository are addresses. */
function absolute(page: string): string {
  const text = readFileSync(page, 'utf8').trim();
  return text.replace(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_, link: string) => {
    return `](${REPOSITORY}${posix.join(dirname(page), link)})`;
  });
}
