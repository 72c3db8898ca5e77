import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WasiSandbox } from 'rsi-loop/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { Place, SECRET } from './sandbox/place.js';
import { wasiEscapes } from './sandbox/wasi-escapes.js';
import { FLOOD, FORWARD, hostRequests, OUTSIDE } from './sandbox/wasi-host-escapes.js';
import { wasiLimits } from './sandbox/wasi-limits.js';

/** Answers with its input. */
const ECHO = `(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 1000))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.store (i32.const 4) (i32.load (i32.const 8)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 12)))))`;

describe('WASI programs', () => {
  const place = new Place();
  const sandbox = new WasiSandbox({ network: place.network });
  let build: (text: string) => Uint8Array;

  beforeAll(async () => {
    await place.start();
    const { parseWat } = await wabt();
    build = (text) => parseWat('program.wat', text, { threads: true, reference_types: true }).toBinary({}).buffer;
  });
  afterAll(async () => {
    await sandbox.close();
    await place.remove();
  });

  const run = (text: string, options = {}) =>
    sandbox.run({ language: 'wasm', code: build(text), hash: text }, { a: ['täglich', 1] }, options);

  it('read the input and write the output', async () => {
    const answer = await run(ECHO);
    expect(answer).toMatchObject({ kind: 'answer', output: { a: ['täglich', 1] }, calls: [] });
    expect(await run(ECHO)).toMatchObject({ kind: 'answer' });
  });

  it.each(wasiEscapes(place.data).map((each) => [each.name, each] as const))('cannot escape by %s', async (_, each) => {
    const answer = await run(each.module, each.options);
    const found = answer.kind === 'answer' ? String(answer.output) : answer.reason;
    expect('output' in each.ends ? [each.ends.output] : each.ends.reasons, JSON.stringify(answer)).toContain(found);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(readFileSync(join(place.data, 'a.txt'), 'utf8')).toBe('allowed');
    expect(readdirSync(place.data)).not.toContain('new.txt');
  });

  it('ask the host for http, files, clock and random as JavaScript does, and get what is allowed', async () => {
    const code = build(FORWARD);
    const found: string[] = [];
    for (const { name, request, options, ends } of hostRequests(place)) {
      const answer = await sandbox.run({ language: 'wasm', code, hash: 'forward' }, request, options);
      const end = answer.kind === 'answer' ? JSON.stringify(answer.output) : answer.reason;
      const isRight =
        'contains' in ends ? answer.kind === 'answer' && end.includes(ends.contains) : end === ends.reason;
      if (!isRight || end.includes(SECRET)) found.push(`${name}: ${JSON.stringify(answer)}`);
    }
    expect(found).toEqual([]);
    expect(readFileSync(join(place.base, 'out', 'wasi.txt'), 'utf8')).toBe('written');
    expect(readdirSync(place.data)).not.toContain('new.txt');
  });

  it('end at the limit of calls, and cannot ask or answer outside of their memory', async () => {
    const request = ['files.list', '.'];
    const options = { allow: { read: [place.data] }, limits: { calls: 20 } };
    const flood = await sandbox.run({ language: 'wasm', code: build(FLOOD), hash: 'flood' }, request, options);
    expect(flood).toMatchObject({ kind: 'failed', reason: 'calls' });
    expect(flood.calls).toHaveLength(20);
    const outside = await sandbox.run({ language: 'wasm', code: build(OUTSIDE), hash: 'outside' }, request, options);
    expect(outside).toMatchObject({ kind: 'answer', output: 1 });
  });

  it('end when their caller stops them, also while they wait for the host', async () => {
    const abort = new AbortController();
    const request = ['http.get', 'http://a.example.com/never'];
    const options = { allow: { hosts: ['*.example.com'] }, signal: abort.signal, limits: { timeMs: 60_000 } };
    const answer = sandbox.run({ language: 'wasm', code: build(FORWARD), hash: 'forward' }, request, options);
    const asked = place.connected.length;
    while (place.connected.length === asked) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(await answer).toMatchObject({ kind: 'failed', reason: 'stopped' });
  });

  it('take no more of the host than their limits allow', async () => {
    const folder = join(place.base, 'large');
    mkdirSync(folder);
    writeFileSync(join(folder, 'ok.t'), 'x');
    writeFileSync(join(folder, 'big'), '');
    truncateSync(join(folder, 'big'), 1_500 * 2 ** 20);
    const before = process.memoryUsage().rss;
    const open = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
    const files = open();
    const found: string[] = [];
    for (const each of wasiLimits(folder)) {
      const answer = await run(each.module, each.options);
      const end = answer.kind === 'answer' ? String(answer.output) : answer.reason;
      const wanted: readonly string[] = 'output' in each.ends ? [each.ends.output] : each.ends.reasons;
      if (!wanted.includes(end) || answer.durationMs > 1_500) found.push(`${each.name}: ${JSON.stringify(answer)}`);
    }
    expect(found).toEqual([]);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400);
    const [left] = wasiLimits(folder).filter(({ name }) => name === 'leaving a file open');
    for (let count = 0; count < 30; count += 1) await run(left?.module ?? '', left?.options);
    expect(open() - files).toBeLessThan(15);
  });

  it('are rejected if they are no module', async () => {
    const code = new Uint8Array([1, 2, 3]);
    const answer = await sandbox.run({ language: 'wasm', code, hash: 'x' }, null);
    expect(answer).toMatchObject({ reason: 'error', message: 'the code is no WebAssembly module' });
    const text = await sandbox.run({ language: 'wasm', code: 'text', hash: 'x' }, null);
    expect(text).toMatchObject({ reason: 'error', message: 'the code is text: give the bytes of a module' });
  });

  it('never run other code because of a wrong hash', async () => {
    const one = await sandbox.run({ language: 'wasm', code: build(ECHO), hash: 'same' }, 1);
    const trap = build('(module (memory (export "memory") 1) (func (export "_start") unreachable))');
    const other = await sandbox.run({ language: 'wasm', code: trap, hash: 'same' }, 1);
    expect([one.kind, other.kind]).toEqual(['answer', 'failed']);
  });
});
