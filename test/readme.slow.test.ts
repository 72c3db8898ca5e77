import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../scripts/build-dashboard.js';
import { codeBlocks, PAGES, ROOT, readExample, readPage } from './docs/code-blocks.js';
import { runNode } from './run-node.js';

const docs = PAGES.filter((page) => page.startsWith('docs/')).map((page) => page.slice('docs/'.length));
const pages = PAGES.map((page) => ({ page, blocks: codeBlocks(readPage(page)) }));
const quoted = new Set(pages.flatMap(({ blocks }) => blocks.flatMap(({ file }) => file ?? [])));

/** Recipes, whose output is compared, an improvement that takes a minute, and the file of a worker. */
const HAS_OWN_TEST = /^examples\/(?:recipes\/|(?:improve-code|heal|orchestrate-worker)\.ts$)/;

describe('what is shown to users', () => {
  // Examples find the page where the package has it.
  beforeAll(() => buildDashboard(join(ROOT, 'dist', 'dashboard')));

  it('needs nothing that does not come with the package', () => {
    const own = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const outside = own.filter((file) => {
      const imported = [...(readExample(join('examples', file)) ?? '').matchAll(/ from '(\.[^']+)'/g)];
      return imported.some(([, path = '']) => join('examples', dirname(file), path).split('/')[0] !== 'examples');
    });
    expect(outside).toEqual([]);
  });

  it.for([...quoted].filter((file) => !HAS_OWN_TEST.test(file) && /\.[cm]?[jt]s$/.test(file)))(
    'runs: %s',
    async (file) => {
      const cwd = mkdtempSync(join(tmpdir(), 'rsi-loop-example-'));
      try {
        const { code, stderr } = await runNode(['--import', import.meta.resolve('tsx'), join(ROOT, file)], {
          cwd,
          env: { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') },
        });
        expect(code, stderr).toBe(0);
      } finally {
        rmSync(cwd, { recursive: true, force: true });
      }
    },
  );
});

/** A heading as the fragment of a link to it. */
function slug(heading: string): string {
  const words = heading.replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

/** Links of a page that lead nowhere. */
function deadLinks(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.flatMap((link) => {
    if (/^https?:/.test(link)) return [];
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [`${page}: ${link} is not there`];
    if (fragment === undefined) return [];
    const headings = readFileSync(join(ROOT, target), 'utf8').match(/^#+ .*$/gm) ?? [];
    const slugs = headings.map((heading) => slug(heading.replace(/^#+ /, '')));
    return slugs.includes(fragment) ? [] : [`${page}: ${link} names no heading`];
  });
}

describe('links', () => {
  it('lead to a file of the repository, and to a heading in it', () => {
    expect(pages.flatMap(({ page }) => deadLinks(page))).toEqual([]);
  });

  it('reach every page of docs/ from its index', () => {
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    const linked = [...index.matchAll(/\]\(([^)#\s]+)/g)].map(([, path = '']) => path);
    const others = docs.filter((file) => file !== 'README.md' && !file.startsWith('decisions'));
    expect(others.filter((file) => !linked.includes(file))).toEqual([]);
  });
});
