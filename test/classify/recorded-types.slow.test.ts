import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { classifyError } from '../../src/classify/classify-error.js';
import { TemplateMiner } from '../../src/classify/template-miner.js';

/** Failures of agents that call functions, each with the type that its checker gave it. */
const FILE = resolve(import.meta.dirname, '../../../shared/data/replay/bfcl.json.gz');

type Recorded = { readonly models: Record<string, Record<string, Record<string, readonly [string, unknown]>>> };

function entropy(counts: Iterable<number>): number {
  const all = [...counts];
  const sum = all.reduce((total, count) => total + count, 0);
  return -all.reduce((total, count) => total + (count / sum) * Math.log(count / sum), 0);
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

it.skipIf(!existsSync(FILE))('groups recorded failures by their true types', () => {
  const { models }: Recorded = JSON.parse(gunzipSync(readFileSync(FILE)).toString('utf8'));
  const calls = Object.values(models).flatMap((categories) => Object.values(categories).flatMap(Object.values));
  const rows = calls as readonly (readonly [string, unknown])[]; // the values of the recorded objects
  const types = rows.map(([type]) => type);
  const miner = new TemplateMiner({ separate: (message) => classifyError(message).category });
  const groups = rows.map(([, message]) => {
    const text = String(message);
    return `${classifyError(text).category} ${miner.add(text).id}`;
  });
  // V-measure (Rosenberg and Hirschberg 2007).
  const [ofTypes, ofGroups] = [entropy(tally(types).values()), entropy(tally(groups).values())];
  const shared = ofTypes + ofGroups - entropy(tally(types.map((type, at) => `${type}|${groups[at]}`)).values());
  const [homogeneity, completeness] = [shared / ofTypes, shared / ofGroups];
  expect(rows.length).toBeGreaterThan(16_000);
  expect(homogeneity).toBeGreaterThanOrEqual(0.97);
  expect((2 * homogeneity * completeness) / (homogeneity + completeness)).toBeGreaterThanOrEqual(0.8);
});
