import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemplateMiner } from '../../src/classify/template-miner.js';
import { seededRandom } from '../../src/lib/random.js';

/** Development data that is not part of the project; everything that uses it does without where it is absent. */
export const SHARED_DATA = join(import.meta.dirname, '../../../shared/data');

export interface LabelledSet {
  readonly name: string;
  readonly messages: readonly string[];
  /** The published label of each message. */
  readonly labels: readonly string[];
  /** A second opinion on the labels, where there is one. */
  readonly corrected: readonly string[];
}

/** The public log sets, `event <tab> corrected event <tab> message` a line; none where the folder is absent. */
export function publicLogSets(): LabelledSet[] {
  const folder = join(SHARED_DATA, 'loghub');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.tsv'));
  return files.sort().map((file) => {
    const rows = linesOf(join(folder, file)).map((line) => /^([^\t]*)\t([^\t]*)\t(.*)$/.exec(line) ?? []);
    return {
      name: file.slice(0, -4),
      labels: rows.map((row) => row[1] ?? ''),
      corrected: rows.map((row) => row[2] ?? ''),
      messages: rows.map((row) => row[3] ?? ''),
    };
  });
}

/** Labelled agent errors: the label is the recurring error a message belongs to. */
export function sharedAgentErrors(): { message: string; label: string; category: string }[] {
  const file = join(SHARED_DATA, 'errors-dev.jsonl');
  if (!existsSync(file)) return [];
  return linesOf(file).map((line) => {
    // The file is ours to trust in shape: it is a fixture, not input.
    const { message, group, category } = JSON.parse(line) as { message: string; group: string; category: string };
    return { message, label: group, category };
  });
}

export interface Grouping {
  /** Answer of `add` at the time. */
  readonly atOnce: readonly string[];
  /** The same with later merges followed. */
  readonly resolved: readonly string[];
}

export function groupAll(messages: readonly string[], miner = new TemplateMiner()): Grouping {
  const atOnce = messages.map((message) => miner.add(message).id);
  return { atOnce, resolved: atOnce.map((id) => miner.resolve(id)) };
}

export interface GroupingScore {
  /** Grouping accuracy: share of messages whose group is, as a set, exactly their true group (Zhu et al. 2019). */
  readonly ga: number;
  /** F1 over groups: exact groups over found and over true ones (Jiang et al. 2024). */
  readonly fga: number;
  readonly found: number;
  readonly real: number;
}

export function scoreGrouping(truth: readonly string[], found: readonly string[]): GroupingScore {
  const real = countsOf(truth);
  const groups = countsOf(found);
  const pairs = countsOf(truth.map((label, index) => `${found[index]}\n${label}`));
  let messages = 0;
  let exact = 0;
  for (const [pair, count] of pairs) {
    const cut = pair.indexOf('\n');
    if (groups.get(pair.slice(0, cut)) !== count || real.get(pair.slice(cut + 1)) !== count) continue;
    messages += count;
    exact++;
  }
  return {
    ga: messages / truth.length,
    fga: (2 * exact) / (groups.size + real.size),
    found: groups.size,
    real: real.size,
  };
}

/** Adjusted Rand index (Hubert and Arabie 1985): 1 for the same partition, 0 for what chance gives. */
export function agreement(a: readonly string[], b: readonly string[]): number {
  const pairs = (value: number) => (value * (value - 1)) / 2;
  const sum = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((total, count) => total + pairs(count), 0);
  const together = sum(countsOf(a.map((id, index) => `${id}\n${b[index]}`)));
  const inA = sum(countsOf(a));
  const inB = sum(countsOf(b));
  const expected = (inA * inB) / pairs(a.length);
  const most = (inA + inB) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}

/** The agreement between the given order and each of `times` others; the least and the mean. */
export function shuffleStability(
  messages: readonly string[],
  times: number,
  seed = 1,
): { least: number; mean: number } {
  const random = seededRandom(seed);
  const base = groupAll(messages).resolved;
  const values = Array.from({ length: times }, () => {
    const order = messages.map((_, index) => index);
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      const swapped = order[last] ?? 0;
      order[last] = order[other] ?? 0;
      order[other] = swapped;
    }
    const shuffled = groupAll(order.map((index) => messages[index] ?? '')).resolved;
    const back: string[] = [];
    for (const [position, index] of order.entries()) back[index] = shuffled[position] ?? '';
    return agreement(base, back);
  });
  return { least: Math.min(...values), mean: values.reduce((sum, value) => sum + value, 0) / times };
}

/** Which recurring errors are not whole, and which groups hold more than one of them. */
export function wholeness(truth: readonly string[], found: readonly string[]): { split: string[]; merged: string[][] } {
  const groupsOf = listsOf(truth, found);
  const labelsOf = listsOf(found, truth);
  return {
    split: [...groupsOf].filter(([, groups]) => groups.size > 1).map(([label]) => label),
    merged: [...labelsOf.values()].filter((labels) => labels.size > 1).map((labels) => [...labels]),
  };
}

function listsOf(keys: readonly string[], values: readonly string[]): Map<string, Set<string>> {
  const lists = new Map<string, Set<string>>();
  for (const [index, key] of keys.entries()) {
    const list = lists.get(key) ?? new Set();
    lists.set(key, list.add(values[index] ?? ''));
  }
  return lists;
}

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
