import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundleProcess } from '../../bundle-process.js';
import { killWhileLearning } from './kills.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'skill-kills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A short cut of `npm run campaign -- skill-kills`. */
it('survives kill -9 while it learns: no half-written skill, and no answer of the model is lost', async () => {
  const program = await bundleProcess('test/integrations/skills/killed-process.ts', folder, { external: ['sucrase'] });
  const { kills, broken } = await killWhileLearning(program, folder, { least: 8 });
  expect(kills).toBeGreaterThanOrEqual(8);
  expect(broken).toEqual([]);
}, 120_000);
