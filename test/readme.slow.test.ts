import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../scripts/build-dashboard.js';
import { runNode } from './run-node.js';

/** A fenced code block, and the file in `examples/` that its fence or the comment above it names. */
interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly file: string | undefined;
  readonly code: string;
}

const FENCE = /^(`{3,})([\w-]*)[ \t]*(.*)$/;
const EXAMPLE = /(?:^|[\s"'=])(examples\/[\w./-]+)/;
/** Languages whose blocks run; shell lines and output are read by people. */
const RUNS = new Set(['ts', 'typescript', 'js', 'javascript', 'mjs', 'cjs']);

function codeBlocks(markdown: string): readonly CodeBlock[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: CodeBlock[] = [];
  for (let start = 0; start < lines.length; start++) {
    const opening = FENCE.exec(lines[start] ?? '');
    if (!opening) continue;
    const [, fence = '', language = '', info = ''] = opening;
    const end = lines.findIndex((line, index) => index > start && line.trim() === fence);
    const above = lines.slice(0, start).findLast((line) => line.trim() !== '') ?? '';
    const file = EXAMPLE.exec(info)?.[1] ?? (above.startsWith('<!--') ? EXAMPLE.exec(above)?.[1] : undefined);
    const code = lines.slice(start + 1, end === -1 ? lines.length : end).join('\n');
    blocks.push({ line: start + 1, language, file, code });
    start = end === -1 ? lines.length : end;
  }
  return blocks;
}

/** What is wrong with the block, or undefined. `strict`: a block that runs must name its file. */
function problem(block: CodeBlock, read: (file: string) => string | undefined, strict: boolean): string | undefined {
  if (!block.file) return strict && RUNS.has(block.language) ? 'names no file in examples/' : undefined;
  const contents = read(block.file);
  if (contents === undefined) return `names ${block.file}, which does not exist`;
  return contents.trim() === block.code.trim() ? undefined : `differs from ${block.file}`;
}

const root = resolve(import.meta.dirname, '..');
const readExample = (file: string) =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
const docs = existsSync(join(root, 'docs'))
  ? readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  : [];
const pages = ['README.md', ...docs.map((file) => join('docs', file))]
  .filter((page) => existsSync(join(root, page)))
  .map((page) => ({ page, blocks: codeBlocks(readFileSync(join(root, page), 'utf8')) }));
const quoted = new Set(pages.flatMap(({ blocks }) => blocks.flatMap(({ file }) => file ?? [])));

describe('what is shown to users', () => {
  // Examples find the page where the package has it.
  beforeAll(() => buildDashboard(join(root, 'dist', 'dashboard')));

  it('is, block by block, a file in examples/', () => {
    const found = pages.flatMap(({ page, blocks }) =>
      blocks.flatMap((block) => {
        const why = problem(block, readExample, page === 'README.md');
        return why ? [`${page}:${block.line} ${why}`] : [];
      }),
    );
    expect(found).toEqual([]);
  });

  it('needs nothing that does not come with the package', () => {
    const own = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const outside = own.filter((file) => {
      const imported = [...(readExample(join('examples', file)) ?? '').matchAll(/ from '(\.[^']+)'/g)];
      return imported.some(([, path = '']) => join('examples', dirname(file), path).split('/')[0] !== 'examples');
    });
    expect(outside).toEqual([]);
  });

  it.for([...quoted].filter((file) => /\.[cm]?[jt]s$/.test(file)))('runs: %s', async (file) => {
    const cwd = mkdtempSync(join(tmpdir(), 'rsi-loop-example-'));
    try {
      const { code, stderr } = await runNode(['--import', import.meta.resolve('tsx'), join(root, file)], {
        cwd,
        env: { TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
      });
      expect(code, stderr).toBe(0);
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });
});

/** A heading as the fragment of a link to it. */
function slug(heading: string): string {
  const words = heading.replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

/** Links of a page that lead nowhere, or to what does not come with the package. */
function deadLinks(page: string, packed: readonly string[]): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.flatMap((link) => {
    if (/^https?:/.test(link)) return [];
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return [`${page}: ${link} is not there`];
    if (!packed.some((name) => target === name || target.startsWith(`${name}/`)))
      return [`${page}: ${link} does not come with the package`];
    if (fragment === undefined) return [];
    const headings = readFileSync(join(root, target), 'utf8').match(/^#+ .*$/gm) ?? [];
    const slugs = headings.map((heading) => slug(heading.replace(/^#+ /, '')));
    return slugs.includes(fragment) ? [] : [`${page}: ${link} names no heading`];
  });
}

describe('links', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };

  it('lead to a file of the package, and to a heading in it', () => {
    expect(pages.flatMap(({ page }) => deadLinks(page, files))).toEqual([]);
  });

  it('reach every page of docs/ from its index', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const linked = [...index.matchAll(/\]\(([^)#\s]+)/g)].map(([, path = '']) => path);
    const others = docs.filter((file) => file !== 'README.md' && !file.startsWith('decisions'));
    expect(others.filter((file) => !linked.includes(file))).toEqual([]);
  });
});

describe('the reader of code blocks', () => {
  const markdown = [
    '```sh\nnpm install rsi-loop\n```',
    '<!-- examples/one.ts -->\n\n```ts\none();\n```',
    '```js examples/two.js\ntwo();\n```',
    '```ts\nunnamed();\n```',
  ].join('\n\ntext\n\n');
  const problems = (files: Readonly<Record<string, string>>, strict: boolean) =>
    codeBlocks(markdown).map((block) => problem(block, (file) => files[file], strict));

  it('finds the file a block names in its fence or in the comment above', () => {
    expect(codeBlocks(markdown).map(({ file }) => file)).toEqual([
      undefined,
      'examples/one.ts',
      'examples/two.js',
      undefined,
    ]);
  });

  it('notices a block that differs from its file, lacks it or names none', () => {
    const files = { 'examples/one.ts': 'one();\n', 'examples/two.js': 'three();' };
    expect(problems(files, true)).toEqual([
      undefined,
      undefined,
      'differs from examples/two.js',
      'names no file in examples/',
    ]);
    expect(problems({}, false)).toEqual([
      undefined,
      'names examples/one.ts, which does not exist',
      'names examples/two.js, which does not exist',
      undefined,
    ]);
  });
});
