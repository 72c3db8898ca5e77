import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOORS, importName } from '../../../scripts/doors.js';
import { runNode } from '../../run-node.js';
import { readShapes } from './read-shapes.js';
import type { Callable } from './shape.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-doors-'));
let shapes: ReadonlyMap<string, readonly Callable[]>;
beforeAll(() => {
  shapes = readShapes(DOORS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly tried: number;
  readonly found: Readonly<Record<string, readonly string[]>>;
}

async function tryDoor(door: string, source: string): Promise<Report> {
  const cwd = mkdtempSync(join(folder, 'door-'));
  writeFileSync(join(cwd, 'plan.json'), JSON.stringify(shapes.get(door)));
  const tsx = pathToFileURL(resolve('node_modules/tsx/dist/esm/index.mjs')).href;
  const script = resolve(import.meta.dirname, 'try-door.ts');
  const env = { ...process.env, TSX_TSCONFIG_PATH: resolve('tsconfig.json') };
  const { stdout, stderr } = await runNode(['--import', tsx, script, resolve(source), 'plan.json'], { cwd, env });
  const line = stdout.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`the process ended without a report: ${stderr.slice(-1_000)}`);
  return JSON.parse(line) as Report; // written by try-door.ts
}

describe('hostile values as each parameter and each option', () => {
  it.each(Object.entries(DOORS).map(([door, source]) => [importName(door), door, source] as const))(
    'of %s are taken, or rejected immediately with an error that names the option',
    async (_, door, source) => {
      const { tried, found } = await tryDoor(door, source);
      expect(tried).toBeGreaterThan(0);
      expect(found).toEqual({});
    },
  );
});
