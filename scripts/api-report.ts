/**
 * Writes docs/api.md: every public name with its first sentence, from the sources behind the doors. `-- --check` fails if
 * a name has no sentence, or if the page is not what this would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { DOORS, EXPERIMENTAL, importName } from './doors.js';

const PAGE = 'docs/api.md';
const HEAD = `# Public names

Every name that the package exports, with its first sentence. Written by \`npm run api\`; the check fails if it is out of date.

Names of a door marked **experimental** may change in a minor release. All others change in a major release only.
`;

interface PublicName {
  readonly name: string;
  readonly kind: string;
  /** Empty if its source has none. */
  readonly sentence: string;
}

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(Object.values(DOORS), { ...options, noEmit: true });
const checker = program.getTypeChecker();

function namesOf(source: string): readonly PublicName[] {
  const file = program.getSourceFile(source);
  const door = file && checker.getSymbolAtLocation(file);
  if (!door) throw new Error(`${source} exports nothing`);
  return checker
    .getExportsOfModule(door)
    .map((symbol) => {
      const named = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const text = ts.displayPartsToString(named.getDocumentationComment(checker));
      return { name: symbol.name, kind: kindOf(named.flags), sentence: firstSentence(text) };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function kindOf(flags: ts.SymbolFlags): string {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  return flags & ts.SymbolFlags.Variable ? 'value' : 'type';
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const end = /(?<!e\.g)[.:](?= |$)/.exec(line);
  return end ? line.slice(0, end.index + 1).replace(/:$/, '.') : line;
}

const doors = Object.entries(DOORS).map(([door, source]) => ({ door, names: namesOf(source) }));
const silent = doors.flatMap(({ door, names }) =>
  names.filter(({ sentence }) => sentence === '').map(({ name }) => `${importName(door)}: ${name}`),
);
const page = [
  HEAD,
  ...doors.map(({ door, names }) => {
    const mark = EXPERIMENTAL.has(door) ? ', experimental' : '';
    const rows = names.map(({ name, kind, sentence }) => `- \`${name}\` (${kind}). ${sentence.replace(/\|/g, '\\|')}`);
    return `\n## ${importName(door)}${mark}\n\n${rows.join('\n')}\n`;
  }),
].join('');

const isCheck = process.argv.includes('--check');
if (!isCheck) writeFileSync(PAGE, page);
for (const name of silent) console.error(`${name} has no docstring`);
const isOld = isCheck && readFileSync(PAGE, 'utf8') !== page;
if (isOld) console.error(`${PAGE} is out of date: npm run api writes it`);
console.log(`${doors.reduce((sum, { names }) => sum + names.length, 0)} public names in ${doors.length} doors`);
process.exitCode = isOld || silent.length > 0 ? 1 : 0;
