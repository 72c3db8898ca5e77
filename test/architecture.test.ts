import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DOORS, importName } from '../scripts/doors.js';

/** Layers as STYLE draws them: imports point down, and modules of one layer do not import each other. */
interface Place {
  readonly layer: number;
  /** Files of one module may import each other. */
  readonly module: string;
}

/** The only files that lie in `src` itself. */
const ENTRIES = ['src/index.ts', 'src/loop.ts', 'src/kit.ts'];
/** Files that are run, and not imported. */
const PROGRAMS = [
  'integrations/cli/main.ts',
  'integrations/dashboard/page/main.tsx',
  'integrations/skills/sandboxes/worker/main.ts',
];
/** Modules of the core, layer by layer. */
const LAYERS: readonly (readonly string[])[] = [
  ['contract'],
  ['classify', 'lib'],
  ['observe', 'analyze', 'fix', 'run', 'verify', 'ledger', 'experience', 'defaults', 'node', 'testing'],
  ['live'],
  ['judge', 'record'],
];
/** Companions in the order in which they may import each other's entry points: each those before it. */
const COMPANIONS = ['prompts', 'bench', 'improve', 'prove', 'skills', 'oversee', 'orchestrate', 'heal'];
/** Code that browsers run. */
const PAGE = /^integrations\/dashboard\/page\//;
/** Modules that users import by an entry of their own, so the main entry leaves them out. */
const OWN_ENTRY = /^src\/(node|testing|record)\//;
/** Doors for people. They print or serve the documents of the reports, which import only entry points. */
const FOR_PEOPLE = ['cli', 'dashboard', 'notify', 'ci', 'mcp', 'plugin'].map((name) => `integrations/${name}`);
const REPORTS = 'integrations/reports';
/** Checks, streams and connections of every server here. It imports no other integration. */
const SHARED_BY_SERVERS = 'integrations/http';

function placeOf(file: string): Place | undefined {
  const [root = '', folder = '', ...rest] = file.split('/');
  if (ENTRIES.includes(file)) return { layer: 7, module: 'entries' };
  if (rest.length === 0) return undefined;
  if (root === 'integrations') return { layer: 8, module: `${root}/${folder}` };
  const layer = root === 'src' ? LAYERS.findIndex((modules) => modules.includes(folder)) : -1;
  if (layer < 0) return undefined;
  // Naming an error needs the small helpers, and some of them need to name an error.
  return { layer, module: layer === 1 ? 'src/classify and src/lib' : `src/${folder}` };
}

/** Why `from` may not import `specifier`, or undefined when it may. */
function violation(from: string, specifier: string): string | undefined {
  const place = placeOf(from);
  if (!place) return 'lies in no module: move it to one, or add the module to test/architecture.test.ts';
  const integration = place.layer === 8;
  if (specifier.startsWith('node:')) {
    if (PAGE.test(from)) return 'the page runs in browsers';
    return integration || place.module === 'src/node' ? undefined : 'only src/node may import node: modules';
  }
  if (!specifier.startsWith('.')) {
    if (!integration) return 'src imports no package';
    return isLaterCompanion(place, specifier) ? 'companions import those before them only' : undefined;
  }
  if (integration && specifier.endsWith('/package.json')) return undefined;

  const target = targetOf(from, specifier);
  const other = placeOf(target);
  if (!other) return 'reaches outside of src and integrations';
  if (integration) {
    if (other.layer !== 8) return `integrations reach src by its public names: import from 'rsi-loop'`;
    const isReport = FOR_PEOPLE.includes(place.module) && other.module === REPORTS;
    const isShared = other.module === SHARED_BY_SERVERS && place.module !== REPORTS;
    const allowed = other.module === place.module || place.module === 'integrations/cli' || isShared || isReport;
    return allowed ? undefined : 'integrations do not import each other';
  }
  if (from === 'src/index.ts' && OWN_ENTRY.test(target)) return 'this module has an entry of its own';
  if (other.layer < place.layer || other.module === place.module) return undefined;
  return other.layer === place.layer ? 'modules of one layer do not import each other' : 'imports point down';
}

/** Returns whether a companion imports the entry point of one that comes after it. */
function isLaterCompanion({ module }: Place, specifier: string): boolean {
  const folderOf = (path = '') => COMPANIONS.indexOf(path.split('/')[1] ?? '');
  const other = folderOf(sources.get(specifier));
  return folderOf(module) >= 0 && other > folderOf(module);
}

function targetOf(from: string, specifier: string): string {
  const file = posix.join(posix.dirname(from), specifier);
  const source = file.replace(/\.js$/, '.tsx');
  return texts.has(source) ? source : file.replace(/\.js$/, '.ts');
}

const root = resolve(import.meta.dirname, '..');
/** Source of each entry point, by the name it is imported by. */
const sources = new Map(Object.entries(DOORS).map(([door, source]) => [importName(door), source]));
const files = ['src', 'integrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/'))),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Everything the file imports, re-exports or loads later by `import()`. */
const importsOf = new Map(
  [...texts].map(([file, text]) => [file, ts.preProcessFile(text).importedFiles.map((found) => found.fileName)]),
);

describe('the layers', () => {
  it('has imports that point down only, no package in src, and node: only in src/node', () => {
    const found = [...importsOf].flatMap(([file, imports]) =>
      imports.flatMap((specifier) => {
        const why = violation(file, specifier);
        return why ? [`${file} imports ${specifier}: ${why}`] : [];
      }),
    );
    expect(found).toEqual([]);
  });

  it('has no circular imports', () => {
    expect(findCycle(importsOf)).toBeUndefined();
  });

  it('keeps no changing state in a module and does nothing on import', () => {
    const found = [...texts].flatMap(([file, text]) => (PROGRAMS.includes(file) ? [] : liveStatements(file, text)));
    expect(found).toEqual([]);
  });

  it('loads the judge late: no import chain from the main entry to it, but by import()', () => {
    const reached = reachedAtStart('src/index.ts');
    const isLate =
      /^src\/(judge|experience)\/|^src\/fix\/(catalog|rules)\/|^src\/analyze\/(cause|localize)|^src\/verify\/(arm-bet|trial|verifier)/;
    const late = [...reached].filter((file) => isLate.test(file));
    expect(late).toEqual(['src/judge/late.ts']);
    expect(reached.size).toBeGreaterThan(100);
    expect(valueImports("import { a, type B } from './a.js';\nimport type { C } from './c.js';")).toEqual(['./a.js']);
    expect(valueImports("export { type D } from './d.js';\nconst e = () => import('./e.js');")).toEqual([]);
  });

  it('tests for a kind of change by name only in src/contract and in the kinds themselves', () => {
    const allowed = /^src\/(contract|fix\/kinds)\/|-kind\.ts$/;
    const found = [...texts].filter(([file, text]) => !allowed.test(file) && asksForKind(text));
    expect(found.map(([file]) => file)).toEqual([]);
  });

  it('knows the kinds of companions in the core only as records that a store holds', () => {
    const records = /^src\/contract\/|^src\/node\/check-entry\.ts$/;
    const found = [...texts].filter(
      ([file, text]) => file.startsWith('src/') && !records.test(file) && ofCompanions(text),
    );
    expect(found.map(([file]) => file)).toEqual([]);
    expect(ofCompanions("return { kind: 'prompt' };")).toBe(true);
    expect(ofCompanions("return { kind: 'policy' };")).toBe(false);
  });

  it('would notice each of the things it forbids', () => {
    expect(asksForKind("if (fix.change.kind === 'policy') {")).toBe(true);
    expect(asksForKind("return kind !== 'rule';")).toBe(true);
    expect(asksForKind('switch (change.kind) {')).toBe(true);
    expect(asksForKind("if (entry.kind === 'change-written') {")).toBe(false);
    expect(violation('src/analyze/analyzer.ts', '../fix/catalog.js')).toMatch('do not import each other');
    expect(violation('src/lib/hash.ts', '../loop.js')).toMatch('point down');
    expect(violation('src/observe/observer.ts', 'node:fs')).toMatch('only src/node');
    expect(violation('src/node/file-store.ts', 'pino')).toMatch('no package');
    expect(violation('src/contract/fix.ts', '../lib/text.js')).toMatch('point down');
    expect(violation('src/judge/explain.ts', '../loop.js')).toMatch('point down');
    expect(violation('src/live/advice.ts', '../judge/explain.js')).toMatch('point down');
    expect(violation('integrations/bench/bench.ts', '../improve/iterate.js')).toMatch('do not import each other');
    expect(violation('integrations/improve/iterate.ts', '../bench/bench.js')).toMatch('do not import each other');
    expect(violation('integrations/improve/iterate.ts', '../../src/lib/hash.js')).toMatch('public names');
    expect(violation('integrations/improve/iterate.ts', 'rsi-loop/bench')).toBeUndefined();
    expect(violation('integrations/bench/bench.ts', 'rsi-loop/improve')).toMatch('those before them');
    expect(violation('integrations/dashboard/page/main.tsx', 'node:fs')).toMatch('browsers');
    expect(violation('src/core.ts', './loop.js')).toMatch('no module');
    expect(violation('src/index.ts', './node/file-store.js')).toMatch('entry of its own');
    expect(violation('integrations/sources/import/formats/codex.ts', '../../../cli/main.js')).toMatch(
      'do not import each other',
    );
    expect(violation('integrations/dashboard/server/handler.ts', '../../http/guard.js')).toBeUndefined();
    expect(violation('integrations/http/guard.ts', '../dashboard/index.js')).toMatch('do not import each other');
    expect(violation('integrations/cli/main.ts', '../../src/loop.js')).toMatch('public names');
    expect(violation('integrations/notify/digest.ts', '../reports/wait.js')).toBeUndefined();
    expect(violation('integrations/bench/bench.ts', '../reports/wait.js')).toMatch('do not import each other');
    expect(violation('integrations/reports/status.ts', '../cli/main.js')).toMatch('do not import each other');
    expect(violation('src/cellar/rat.ts', './trap.js')).toMatch('no module');
    expect(violation('src/loop.ts', './observe/observer.js')).toBeUndefined();
    const ring = new Map([
      ['src/a.ts', ['./b.js']],
      ['src/b.ts', ['./c.js']],
      ['src/c.ts', ['./a.js']],
    ]);
    expect(findCycle(ring)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts']);
    expect(liveStatements('src/a.ts', 'let table: T | undefined;\nfunction f() { table ??= make(); }')).toEqual([]);
    expect(
      liveStatements('src/a.ts', 'let table: T | undefined;\nfunction f() { table ??= make(); table = 1; }'),
    ).toHaveLength(1);
    const state = 'let count = 0;\nconst seen = new Map();\nconst fine: ReadonlySet<string> = new Set();\nregister();';
    expect(liveStatements('src/a.ts', state)).toHaveLength(3);
  });
});

describe('the entries', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

  it('are the same in package.json, in the build and for TypeScript', () => {
    const doors = Object.keys(DOORS);
    const exported = Object.keys(manifest.exports).filter((name) => name !== './package.json');
    expect(exported.sort()).toEqual(doors.map((door) => (door === 'index' ? '.' : `./${door}`)).sort());
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => readFileSync(file, 'utf8'));
    const paths = Object.fromEntries(Object.entries(DOORS).map(([door, file]) => [importName(door), [`./${file}`]]));
    expect(config.compilerOptions.paths).toMatchObject(paths);
  });

  it('lead to files that exist', () => {
    for (const file of Object.values(DOORS)) expect(existsSync(join(root, file)), file).toBe(true);
    for (const [door, targets] of Object.entries<Record<string, unknown>>(manifest.exports)) {
      if (door === './package.json') continue;
      const name = door === '.' ? 'index' : door.slice(2);
      expect(targets).toEqual({
        import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
        require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
      });
    }
  });

  it('ask for no dependencies', () => {
    expect(manifest.dependencies ?? {}).toEqual({});
  });
});

/** Files that a file imports for their values, directly and by others, leaving out what it loads while it runs. */
function reachedAtStart(file: string, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const specifier of valueImports(texts.get(file) ?? '')) {
    if (specifier.startsWith('.')) reachedAtStart(targetOf(file, specifier), reached);
  }
  return reached;
}

/** Modules that a text imports, or exports from, for a value. */
function valueImports(text: string): string[] {
  const { statements } = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022, true);
  return statements.flatMap((statement) => {
    const isExport = ts.isExportDeclaration(statement);
    if (!isExport && !ts.isImportDeclaration(statement)) return [];
    const names = isExport ? statement.exportClause : statement.importClause?.namedBindings;
    const isType = isExport ? statement.isTypeOnly : statement.importClause?.isTypeOnly === true;
    const isListed = names !== undefined && (ts.isNamedExports(names) || ts.isNamedImports(names));
    const onlyTypes = isType || (isListed && names.elements.every((name) => name.isTypeOnly));
    return onlyTypes || !statement.moduleSpecifier ? [] : [statement.moduleSpecifier.getText().slice(1, -1)];
  });
}

/** Returns whether code names a kind of change that a companion adds to a loop. */
function ofCompanions(text: string): boolean {
  return /'(?:prompt|skill|my\.action)'/.test(text);
}

/** Whether the text branches on the kind of a change. */
function asksForKind(text: string): boolean {
  return /\bkind [!=]==? '(policy|rule)'|change\.kind [!=]==?|switch \(.*\bchange\.kind\)/.test(text);
}

/** The first ring of files found, with the file it closes on named twice. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const specifier of graph.get(file) ?? []) {
      if (!specifier.startsWith('.')) continue;
      const ring = visit(targetOf(file, specifier), [...path, file]);
      if (ring) return ring;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const ring = visit(file, []);
    if (ring) return ring;
  }
  return undefined;
}

/** Statements of a module that run on import for their effect, or hold something that changes. */
function liveStatements(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  return source.statements.flatMap((statement) => {
    const at = `${file}:${source.getLineAndCharacterOfPosition(statement.getStart()).line + 1}`;
    if (!ts.isVariableStatement(statement)) {
      const declares = ts.isDeclarationStatement(statement) || ts.isExportAssignment(statement);
      return declares || ts.isImportDeclaration(statement) ? [] : [`${at} runs on import`];
    }
    const { declarationList } = statement;
    const declared = (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
    if (!declared && !(declarationList.flags & ts.NodeFlags.Const)) {
      const builtOnce = declarationList.declarations.every((each) => isBuiltOnce(each, text));
      return builtOnce ? [] : [`${at} can be assigned again`];
    }
    return declarationList.declarations.flatMap(({ type, initializer }) => {
      const collection =
        initializer && ts.isNewExpression(initializer) && /^(Weak)?(Map|Set)$/.test(initializer.expression.getText());
      return collection && !type?.getText().startsWith('Readonly') ? [`${at} can be filled: call it Readonly`] : [];
    });
  });
}

/** A table built on first use: declared empty, and assigned by `??=` alone. */
function isBuiltOnce({ name, initializer }: ts.VariableDeclaration, text: string): boolean {
  if (initializer) return false;
  const assignments = text.match(new RegExp(`(?<![.\\w$])${name.getText()}\\s*([^\\s\\w=!<>()]*)=(?!=|>)`, 'g')) ?? [];
  return assignments.length > 0 && assignments.every((assignment) => assignment.endsWith('??='));
}
