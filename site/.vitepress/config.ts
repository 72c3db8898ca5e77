import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { DOORS, importName } from '../../scripts/doors.js';
import { SECTIONS, type Section } from '../navigation.js';

/** Written by `scripts/site.ts`: the pages of docs/, one page per example, and the API reference. */
const STAGED = fileURLToPath(new URL('../../.tmp/site', import.meta.url));

/** Returns the name of a heading in links, as GitHub forms it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const addressOf = (page: string) =>
  `/${page.replace(/(^|\/)README$/, (_, slash) => `${slash}${slash ? '' : 'pages'}`)}`;

function itemsOf({ title, entries, isLong = false }: Section): DefaultTheme.SidebarItem {
  return { text: title, collapsed: isLong, items: entries.map(([text, page]) => ({ text, link: addressOf(page) })) };
}

function headingOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(`${STAGED}/${page}`, 'utf8'))?.[1] ?? page;
}

function decisions(): DefaultTheme.SidebarItem {
  const pages = readdirSync(`${STAGED}/decisions`).filter((file) => file.endsWith('.md'));
  const items = pages.sort().map((file) => {
    return { text: headingOf(`decisions/${file}`), link: `/decisions/${file.replace('.md', '')}` };
  });
  return { text: 'Decisions', collapsed: true, items };
}

/** Pages that no section names, by their headings. */
function others(): DefaultTheme.SidebarItem[] {
  const named = new Set(SECTIONS.flatMap(({ entries }) => entries.map(([, page]) => `${page}.md`)));
  const pages = readdirSync(STAGED).filter((file) => file.endsWith('.md') && file !== 'index.md' && !named.has(file));
  return pages.map((file) => ({ text: headingOf(file), link: `/${file.replace('.md', '')}` }));
}

const reference: DefaultTheme.SidebarItem = {
  text: 'API reference',
  collapsed: true,
  items: Object.keys(DOORS).map((door) => ({
    text: importName(door),
    link: `/api/${importName(door)}`,
  })),
};

export default defineConfig({
  title: 'rsi-loop',
  description: 'A self-improvement loop for AI agents. A change is kept only if it is proven to help.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: STAGED,
  outDir: fileURLToPath(new URL('../../.site', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../.tmp/vitepress', import.meta.url)),
  // The light theme of the generator has too little contrast for keywords.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    anchor: { slugify: anchorOf },
    // Indented blocks look like fenced ones.
    config({ renderer: { rules } }) {
      rules.code_block = (tokens, index, ...rest) => {
        const [token] = tokens.slice(index);
        if (token) token.info = 'text';
        return rules.fence?.(tokens, index, ...rest) ?? '';
      };
    },
  },
  // The index of the search is one file, loaded by the first search.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Cookbook', link: '/cookbook' },
      { text: 'Command', link: '/cli' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [...SECTIONS.map(itemsOf), ...others(), reference, decisions()],
  },
});
