import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LICENCES, SBOM, writeNotices } from '../../scripts/bundled.js';

const root = resolve(import.meta.dirname, '../..');
let folder = '';

// Inside of the project, so that packages are found as in a build.
beforeAll(async () => {
  mkdirSync(join(root, '.tmp'), { recursive: true });
  folder = mkdtempSync(join(root, '.tmp/bundled-'));
  writeFileSync(
    join(folder, 'one.ts'),
    "import { Command } from 'commander';\nconsole.log(new Command('x').name());\n",
  );
  const two =
    "void import('ioredis');\nimport type { FastifyInstance } from 'fastify';\nimport { RSILoop } from 'rsi-loop';\n";
  writeFileSync(join(folder, 'two.ts'), `${two}export const app = (given: FastifyInstance) => [given, RSILoop];\n`);
  await writeNotices([join(folder, 'one.ts'), join(folder, 'two.ts')], folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('lists packages whose code is bundled, and no package that users install or of which only types are read', () => {
  const { components, metadata } = JSON.parse(readFileSync(join(folder, SBOM), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/commander/package.json'), 'utf8'));
  expect(metadata.component.name).toBe('rsi-loop');
  expect(components).toMatchObject([{ name: 'commander', version, licenses: [{ license: { id: 'MIT' } }] }]);
  expect(components[0].hashes[0].alg).toBe('SHA-512');
});

it('carries the licence text of each of them', () => {
  const text = readFileSync(join(folder, LICENCES), 'utf8');
  expect(text).toContain('commander@');
  expect(text).toContain(readFileSync(join(root, 'node_modules/commander/LICENSE'), 'utf8').trim());
});
