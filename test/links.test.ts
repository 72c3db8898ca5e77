import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

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

  it('name decisions that exist', () => {
    const decisions = pages.filter((page) => page.startsWith('docs/decisions/'));
    const headings = decisions.flatMap((page) => textOf(page).match(/^#+ \d{4}/gm) ?? []);
    const known = new Set(headings.map((heading) => heading.slice(-4)));
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\bdecisions? (\d{4})\b/g)].map(([, number = '']) => ({ page, number })),
    );
    expect(named.filter(({ number }) => !known.has(number))).toEqual([]);
  });
});
