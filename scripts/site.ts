/**
 * `npm run docs`: builds the documentation site in `.site` from docs/, examples/ and the doc comments of the entries. The site
 * needs no network: it can be served from any folder of a web server.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import { build } from 'vitepress';
import { DOORS, importName } from './doors.js';
import { manual, REPOSITORY } from './manual.js';

const STAGED = '.tmp/site';
const FENCES: Readonly<Record<string, string>> = {
  ts: 'ts',
  py: 'python',
  sh: 'sh',
  js: 'js',
  json: 'json',
  yml: 'yaml',
  mjs: 'js',
};

const within = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));

/** Copies docs/, with links to examples leading to their pages. */
function stagePages(): void {
  cpSync('docs', STAGED, { recursive: true });
  cpSync('docs/pictures/dashboard.png', `${STAGED}/public/dashboard.png`);
  writeFileSync(`${STAGED}/index.md`, `---\n${readFileSync('site/home.yaml', 'utf8')}---\n`);
  for (const file of within(STAGED, '.md')) {
    const up = '../'.repeat(file.split('/').length);
    const text = readFileSync(join(STAGED, file), 'utf8').replaceAll(`](${REPOSITORY}docs/`, `](${up.slice(3)}`);
    const linked = text
      .replaceAll(`](${up}examples/`, `](${up.slice(3)}examples/`)
      .replace(/\]\(((?:\.\.\/)*examples\/[\w./-]+)\)/g, ']($1.md)')
      .replace(/\]\((\.\.\/)?README\.md/g, (_, up?: string) => indexOf(file, up))
      .replaceAll('](sources/README.md', '](sources/index.md')
      .replaceAll('](decisions)', '](decisions/0001-what-a-loop-may-change.md)');
    writeFileSync(join(STAGED, file), linked);
  }
  renameSync(join(STAGED, 'README.md'), join(STAGED, 'pages.md'));
  renameSync(join(STAGED, 'sources/README.md'), join(STAGED, 'sources/index.md'));
}

/** Returns the link of `file` to the index of its folder, or with `up` of the folder above. */
function indexOf(file: string, up?: string): string {
  if (up !== undefined) return '](../pages.md';
  return file.startsWith('sources/') ? '](index.md' : '](pages.md';
}

/** Writes one page per example: its path and its code. */
function stageExamples(): void {
  for (const file of within('examples', '')) {
    const fence = FENCES[file.split('.').at(-1) ?? ''];
    if (fence === undefined || !file.includes('.')) continue;
    const page = join(STAGED, 'examples', `${file}.md`);
    mkdirSync(dirname(page), { recursive: true });
    const code = readFileSync(join('examples', file), 'utf8');
    writeFileSync(
      page,
      `# examples/${file}\n\nThis file comes with the package.\n\n\`\`\`\`${fence}\n${code}\`\`\`\`\n`,
    );
  }
}

/** Writes the API reference from the doc comments: one page per entry. */
async function stageReference(): Promise<void> {
  const options = {
    name: 'API reference',
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: `${STAGED}/api` }],
    entryPoints: Object.values(DOORS),
    readme: 'none',
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    logLevel: 'Error',
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    useHTMLAnchors: true,
    parametersFormat: 'table',
  };
  // The plugin adds its own options to those of the program.
  const app = await Application.bootstrapWithPlugins(options as Partial<TypeDocOptions>);
  const project = await app.convert();
  if (project === undefined) throw new Error('the doc comments could not be read: npm run types says why');
  const doorOf = new Map(
    Object.entries(DOORS).map(([door, source]) => [source.replace(/(?:\/index)?\.ts$/, ''), importName(door)]),
  );
  for (const entry of project.children ?? []) entry.name = doorOf.get(entry.name) ?? entry.name;
  await app.generateOutputs(project);
  for (const door of Object.keys(DOORS)) nameAsEntry(importName(door));
}

/** TypeDoc numbers the page of an entry if the main entry has a member of that name. The page gets the name of the entry. */
function nameAsEntry(name: string): void {
  const api = join(STAGED, 'api');
  const numbered = `${name}-1.md`;
  if (existsSync(join(api, `${name}.md`)) || !existsSync(join(api, numbered))) return;
  renameSync(join(api, numbered), join(api, `${name}.md`));
  const last = posix.basename(numbered);
  for (const file of readdirSync(api, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(join(api, file), 'utf8');
    if (text.includes(last)) writeFileSync(join(api, file), text.replaceAll(last, `${posix.basename(name)}.md`));
  }
}

/** Writes what programs read: each page as Markdown beside its HTML, the list of pages, and the manual in one file. */
function writeTexts(): void {
  const pages = within(STAGED, '.md').filter((file) => !file.startsWith('api/'));
  for (const file of pages) {
    mkdirSync(dirname(join('.site', file)), { recursive: true });
    cpSync(join(STAGED, file), join('.site', file));
  }
  const titled = pages.map((file) => [/^# (.+)$/m.exec(readFileSync(join(STAGED, file), 'utf8'))?.[1] ?? file, file]);
  const list = titled.map(([title, file]) => `- [${title}](${file})`).join('\n');
  writeFileSync('.site/llms.txt', `# rsi-loop\n\nThe whole manual: [llms-full.txt](llms-full.txt)\n\n${list}\n`);
  writeFileSync('.site/llms-full.txt', manual());
}

rmSync(STAGED, { recursive: true, force: true });
stagePages();
stageExamples();
await stageReference();
await build('site');
writeTexts();
console.log('.site is built: npx vite preview --outDir .site');
