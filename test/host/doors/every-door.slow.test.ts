import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOORS, importName } from '../../../scripts/doors.js';
import { runNode } from '../../run-node.js';
import { readShapes } from './read-shapes.js';
import type { Callable } from './shape.js';

/**
 * Places where a value of a wrong type fails immediately, and with an error of the engine that does not name the option: at most
 * so many of each door. Nearly all are fields of records that the library itself made, and texts that are symbols.
 */
const UNCLEAR: Readonly<Record<string, number>> = {
  index: 1,
  kit: 11,
  node: 7,
  testing: 7,
  bench: 47,
  improve: 18,
  prove: 7,
  prompts: 2,
  skills: 2,
  'skills/core': 3,
  'loop-detector': 2,
  oversee: 7,
  orchestrate: 3,
  heal: 2,
  sandbox: 3,
  'sources/drop-folder': 1,
  'sources/import': 6,
  models: 3,
  'sources/http': 5,
  'sources/fastify': 1,
  dashboard: 3,
  'clients/mcp': 1,
  'clients/skills': 1,
  'clients/otlp': 2,
};

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
      const late = Object.entries(found).filter(([, whys]) => whys.some((why) => /hangs|later, /.test(why)));
      expect(late).toEqual([]);
      expect(Object.keys(found).length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(UNCLEAR[door] ?? 0);
    },
  );
});
