import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportOutcomes, type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const HOUR_MS = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'rsi-export-'));
const store = join(folder, 'data');
const recorded: Outcome[] = [];
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  const loop = new RSILoop({ store: new FileStore(store) });
  const nowMs = Date.now();
  const record = (task: string, error?: string, atMs = nowMs) => {
    loop.observer.recordSimple(task, { success: error === undefined, atMs, ...(error !== undefined && { error }) });
  };
  record('old', undefined, nowMs - 50 * HOUR_MS);
  record('=cmd|calc!A1', '+1+1 "quoted", with a comma\nand a line');
  record('-2', '@SUM(A1)');
  record('\u0007\t=late', '\uff1dHYPERLINK("http://x")');
  record('esc\u001b[2J\u202e', 'a\u009bb\u2028c');
  loop.begin('begun').end({ success: true, tokens: { input: 12, output: 3 }, costUsd: 0.002 });
  await loop.flush();
  for await (const outcome of exportOutcomes(loop)) recorded.push(outcome);
  await loop.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, 'export', ...args], { cwd: folder });

/** RFC 4180, as strict as it is written. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  const row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (!found) throw new Error(`not CSV at ${at}: ${text.slice(at, at + 40)}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] !== ',') rows.push(row.splice(0));
  }
  return rows;
}

describe('exportOutcomes', () => {
  it('gives what was recorded, in order, and with sinceMs only what ended since', async () => {
    expect(recorded.map(({ task }) => task.slice(0, 3))).toEqual([
      'old',
      '=cm',
      '-2',
      expect.any(String),
      'esc',
      'beg',
    ]);
    const loop = new RSILoop();
    for (const atMs of [1_000, 2_000, 3_000]) loop.observer.recordSimple('t', { success: true, atMs });
    const times: number[] = [];
    for await (const { atMs } of exportOutcomes(loop, { sinceMs: 2_000 })) times.push(atMs);
    expect(times).toEqual([2_000, 3_000]);
    await loop.close();
  });
});

describe('rsi export', () => {
  it('prints every outcome as a line of JSON, as it was recorded and safe to look at', async () => {
    const { code, stdout, stderr } = await rsi('--store', store);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(recorded);
    for (const unsafe of ['\u001b', '\u0007', '\u009b', '\u202e', '\u2028']) expect(stdout).not.toContain(unsafe);
  });

  it('prints CSV in which nothing is a formula and every row has every column', async () => {
    const { code, stdout } = await rsi('--store', store, '--format', 'csv');
    expect(code).toBe(0);
    const [head = [], ...rows] = parseCsv(stdout);
    expect(head.slice(0, 5)).toEqual(['id', 'at', 'task', 'success', 'issues']);
    expect(rows).toHaveLength(recorded.length);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(column('task').slice(0, 3)).toEqual(['old', "'=cmd|calc!A1", "'-2"]);
    expect(column('error')[1]).toBe(`'+1+1 "quoted", with a comma and a line`);
    expect(column('error')[2]).toBe("'@SUM(A1)");
    expect(column('error')[3]).toBe('\'\uff1dHYPERLINK("http://x")');
    expect(rows.flat().filter((cell) => /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell))).toEqual([]);
    for (const unsafe of ['\u001b', '\u0007', '\u009b', '\u202e', '\u2028']) expect(stdout).not.toContain(unsafe);
    expect(column('success').slice(0, 2)).toEqual(['true', 'false']);
    expect(column('at')[0]).toBe(new Date(recorded[0]?.atMs ?? 0).toISOString());
    expect([column('input_tokens')[5], column('cost_usd')[5], column('managed')[5]]).toEqual(['12', '0.002', 'true']);
  });

  it('leaves out what ended before --since, and writes to a file when asked to', async () => {
    const out = join(folder, 'out.jsonl');
    const { code, stdout, stderr } = await rsi('--store', store, '--since', '24h', '--out', out);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `5 outcomes written to ${out}\n` });
    expect(readFileSync(out, 'utf8').match(/"task":"old"/)).toBeNull();
  });

  it('refuses a file inside of the store, and says what it cannot write or understand', async () => {
    const before = readdirSync(store, { recursive: true });
    for (const [args, says] of [
      [['--store', store, '--out', join(store, 'store.json')], /lies in the folder of the loop/],
      [
        ['--store', store, '--out', join(folder, 'no', 'where')],
        /^error: cannot write to .*where: there is no such file or folder; name another file with --out\n$/,
      ],
      [['--store', store, '--since', 'soon'], /--since <when>' argument 'soon' is invalid. Give a time before now/],
      [['--store', store, '--format', 'xml'], /Allowed choices are jsonl, csv/],
      [['--store', join(folder, 'none')], /no folder/],
    ] as const) {
      const { code, stdout, stderr } = await rsi(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(says);
    }
    expect(readdirSync(store, { recursive: true })).toEqual(before);
  });
});
