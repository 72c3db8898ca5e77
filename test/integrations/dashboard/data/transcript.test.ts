import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const FROM = Date.UTC(2026, 5, 1, 9);
let folder: string;
let loop: RSILoop;
let data: DashboardData;
let seconds = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-transcript-'));
  loop = new RSILoop({ store: new FileStore(join(folder, 'store')), autoFix: false });
  data = new DashboardData({ loop, store: 'store' });
  seconds = 0;
});
afterEach(async () => {
  await data.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

function row(type: 'user' | 'assistant', sessionId: string, message: object): string {
  seconds += 2;
  const timestamp = new Date(FROM + seconds * 1_000).toISOString();
  return JSON.stringify({ type, sessionId, uuid: `u-${seconds}`, timestamp, cwd: '/home/ada/shop', message });
}

interface Called {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  readonly result: string;
  readonly failed?: boolean;
}

function call(session: string, { id, name, input, result, failed = false }: Called): string[] {
  const said = { type: 'text', text: `I call ${name}.` };
  return [
    row('assistant', session, { id: `msg-${id}`, content: [said, { type: 'tool_use', id, name, input }] }),
    row('user', session, {
      content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: failed }],
    }),
  ];
}

/** A session that asks for a change, reads a file, and fails to edit it. */
function writeSession(path: string, session: string): void {
  const lines = [
    row('user', session, { content: `change the price, my token is ${SECRET}` }),
    ...call(session, { id: 'toolu_1', name: 'Read', input: { file_path: '/home/ada/shop/price.ts' }, result: 'a = 1' }),
    ...call(session, {
      id: 'toolu_2',
      name: 'Edit',
      input: { file_path: 'price.ts', old_string: `a = 2\n// ${SECRET}`, new_string: 'x'.repeat(150_000) },
      result: 'String to replace not found in file.',
      failed: true,
    }),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
}

async function importSession(): Promise<string> {
  const path = join(folder, 's-1.jsonl');
  writeSession(path, 's-1');
  await importInto(loop.store, path);
  await loop.runCycle();
  await data.refresh();
  return path;
}

async function failedCall(): Promise<string> {
  const session = await data.view('session', { id: 's-1' });
  return session?.calls.find(({ success }) => !success)?.id ?? '';
}

describe('the content of an imported session', () => {
  it('has the requests, what each call is about, and the arguments, words and result of a failed call', async () => {
    await importSession();
    const outline = await data.view('transcript', { id: 's-1' });
    expect(outline?.requests).toMatchObject([{ text: expect.stringMatching(/^change the price/) }]);
    expect(Object.values(outline?.about ?? {})).toEqual(['/home/ada/shop/price.ts', 'price.ts']);
    const view = await data.view('transcript', { id: 's-1', call: await failedCall() });
    expect(view?.call).toMatchObject({
      result: 'String to replace not found in file.',
      said: 'I call Edit.',
      input: expect.stringContaining('"file_path": "price.ts"'),
    });
  });

  it('is redacted and cut on its way, and stored nowhere', async () => {
    await importSession();
    const view = await data.view('transcript', { id: 's-1', call: await failedCall() });
    const text = JSON.stringify([await data.view('transcript', { id: 's-1' }), view]);
    expect(text).not.toContain(SECRET);
    expect(text).toContain('[redacted:');
    expect(view?.call?.input?.length).toBe(100_000);
    const kept: string[] = [];
    for await (const { record } of loop.store.journal.read()) kept.push(JSON.stringify(record));
    expect(kept.join()).not.toContain('xxxxxxxx');
  });

  it('names the session by its first request, redacted, until records are erased', async () => {
    await importSession();
    loop.observer.recordSimple('read_page', { success: true, session: 'live' });
    await loop.runCycle();
    await data.refresh();
    const names = async () =>
      Object.fromEntries((await data.view('sessions'))?.sessions.map(({ id, name }) => [id, name]) ?? []);
    expect(await names()).toEqual({
      live: undefined,
      's-1': expect.stringMatching(/^change the price, my token is \[redacted:/),
    });
    expect(JSON.stringify(await names())).not.toContain(SECRET);
    expect((await data.view('session', { id: 's-1' }))?.session.name).toBe((await names())['s-1']);
    await loop.erase({ session: 'another' });
    await data.refresh();
    expect((await names())['s-1']).toBeUndefined();
  });

  it('names a session that carries out a plan by the title of the plan, and ignores what no person wrote', async () => {
    const path = join(folder, 's-2.jsonl');
    const lines = [
      row('user', 's-2', { content: [{ type: 'text', text: '[Request interrupted by user]' }] }),
      row('user', 's-2', { content: 'Implement the following plan:\n\n# Plan: Round prices up\n\nAll of them.' }),
      ...call('s-2', { id: 'toolu_1', name: 'Read', input: { file_path: 'price.ts' }, result: 'a = 1' }),
    ];
    writeFileSync(path, `${lines.join('\n')}\n`);
    await importInto(loop.store, path);
    await loop.runCycle();
    await data.refresh();
    expect((await data.view('session', { id: 's-2' }))?.session.name).toBe('Round prices up');
    expect((await data.view('transcript', { id: 's-2' }))?.requests).toHaveLength(1);
  });

  it('is read only from files that were imported, and only for calls that the store knows', async () => {
    const path = await importSession();
    appendFileSync(
      path,
      `${call('s-1', { id: 'toolu_9', name: 'Bash', input: { command: 'env' }, result: 'PATH=/' }).join('\n')}\n`,
    );
    expect((await data.view('transcript', { id: 's-1', call: '000-toolu_9' }))?.call).toBeUndefined();
    loop.observer.recordSimple('read_page', { success: true, session: 'other' });
    await loop.runCycle();
    await data.refresh();
    expect(await data.view('transcript', { id: 'other' })).toMatchObject({
      requests: [],
      missing: expect.stringContaining('was not imported'),
    });
    expect(await data.view('transcript', { id: 'none' })).toBeUndefined();
  });

  it('says that the file is gone or is no transcript any more', async () => {
    const path = await importSession();
    writeFileSync(path, 'root:x:0:0:root:/root:/bin/bash\n');
    expect(await data.view('transcript', { id: 's-1' })).toMatchObject({ missing: expect.stringContaining(path) });
    rmSync(path);
    expect(await data.view('transcript', { id: 's-1', call: await failedCall() })).toMatchObject({
      missing: expect.stringContaining('cannot be read'),
    });
  });

  it('is not read any more after records were erased', async () => {
    await importSession();
    await loop.erase({ session: 'another' });
    await data.refresh();
    expect((await data.view('transcript', { id: 's-1' }))?.requests ?? []).toEqual([]);
  });

  it('has calls of Codex too', async () => {
    const at = (second: number) => new Date(FROM + second * 1_000).toISOString();
    const item = (second: number, payload: object) =>
      JSON.stringify({ timestamp: at(second), type: 'response_item', payload });
    const path = join(folder, 'rollout.jsonl');
    const command = ['bash', '-lc', 'cat none.txt'];
    writeFileSync(
      path,
      [
        JSON.stringify({ timestamp: at(0), type: 'session_meta', payload: { id: 's-1', cwd: '/home/ada/shop' } }),
        item(1, { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'show the file' }] }),
        item(2, { type: 'function_call', name: 'shell', call_id: 'c-1', arguments: JSON.stringify({ command }) }),
        item(3, {
          type: 'function_call_output',
          call_id: 'c-1',
          output: JSON.stringify({ output: 'cat: none.txt: No such file or directory', metadata: { exit_code: 1 } }),
        }),
      ].join('\n'),
    );
    await importInto(loop.store, path);
    await loop.runCycle();
    await data.refresh();
    const view = await data.view('transcript', { id: 's-1', call: await failedCall() });
    expect(view?.requests.map(({ text }) => text)).toEqual(['show the file']);
    expect(view?.call).toMatchObject({ result: 'cat: none.txt: No such file or directory' });
    expect(JSON.parse(view?.call?.input ?? '')).toEqual({ command });
  });
});

describe('a failed session', () => {
  it('stands beside the session without a failure that did most of the same', async () => {
    const record = (session: string, tasks: readonly string[], failing = '') => {
      for (const task of tasks) {
        const success = task !== failing;
        loop.observer.recordSimple(task, { success, session, ...(!success && { error: 'no' }) });
      }
    };
    record('bad', ['read', 'read', 'edit', 'test'], 'edit');
    record('like', ['read', 'search', 'edit', 'test']);
    record('unlike', ['mail']);
    record('also bad', ['read', 'read', 'edit', 'test'], 'test');
    await loop.runCycle();
    await data.refresh();
    const { good } = (await data.view('session', { id: 'bad' })) ?? {};
    expect(good).toMatchObject({ id: 'like', tasks: ['read', 'search', 'edit', 'test'] });
    expect((await data.view('session', { id: 'like' }))?.good).toBeUndefined();
  });
});
