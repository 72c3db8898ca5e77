/** `npm run doors`: writes the entry points of `scripts/doors.ts` into package.json and tsconfig.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { DOORS, importName } from './doors.js';

const edit = (file: string, change: (json: Record<string, unknown>) => void) => {
  const json = JSON.parse(readFileSync(file, 'utf8'));
  change(json);
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
};
const built = (name: string, types: string, code: string) => ({
  types: `./dist/${name}.${types}`,
  default: `./dist/${name}.${code}`,
});

edit('package.json', (manifest) => {
  const doors = Object.keys(DOORS).map((door) => [
    door === 'index' ? '.' : `./${door}`,
    { import: built(door, 'd.ts', 'js'), require: built(door, 'd.cts', 'cjs') },
  ]);
  manifest.exports = { ...Object.fromEntries(doors), './package.json': './package.json' };
});
edit('tsconfig.json', (config) => {
  const options = config.compilerOptions as Record<string, unknown>;
  options.paths = Object.fromEntries(
    Object.entries(DOORS).map(([door, source]) => [importName(door), [`./${source}`]]),
  );
});
