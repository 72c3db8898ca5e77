import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decisionsDescribedIn, decisionsNamedIn, isUserPage } from '../scripts/numbers/decisions.js';
import { readTree } from '../scripts/numbers/tree.js';

const root = resolve(import.meta.dirname, '..');
const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file.replaceAll('\\', '/')}`),
];
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Names that a renderer gives to the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  const headings = textOf(page).match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** Returns the links of a page that lead nowhere. */
function brokenLinks(page: string): readonly string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.flatMap((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return [`${page}: ${link}`];
    const isThere = anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor);
    return isThere ? [] : [`${page}: no heading ${link}`];
  });
}

describe('links in the docs', () => {
  it('lead to files and headings that exist', () => {
    expect(pages.flatMap(brokenLinks)).toEqual([]);
  });

  it('name decisions that exist once, also in comments of the source', () => {
    const decisions = pages.filter((page) => page.startsWith('docs/decisions/'));
    const described = decisions.flatMap((page) => [...new Set(decisionsDescribedIn(textOf(page)))]);
    const known = new Set(described);
    expect(described.filter((number, at) => described.indexOf(number) !== at)).toEqual([]);
    const sources = [...readTree(['src', 'integrations', 'test', 'scripts', 'examples'], /\.tsx?$/)];
    const texts = [...pages.map((page) => [page, textOf(page)] as const), ...sources];
    const named = texts.flatMap(([file, text]) => decisionsNamedIn(text).map((number) => ({ file, number })));
    expect(named.filter(({ number }) => !known.has(number))).toEqual([]);
  });

  it('name no decision by its number on a page for users', () => {
    const named = pages.filter(isUserPage).flatMap((page) => decisionsNamedIn(textOf(page)).map(() => page));
    expect(named).toEqual([]);
    expect(
      decisionsNamedIn('the end ([decision\n562](decisions/0562-first-calls.md)). Decisions 0040 and 7 %'),
    ).toEqual(['0562', '0040']);
    expect(decisionsNamedIn('[why](decisions/0562-first-calls.md); 12 decisions 5 % better')).toEqual([]);
  });
});
