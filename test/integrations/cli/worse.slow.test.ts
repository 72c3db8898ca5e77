import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testFolder } from '../../node/folder.js';
import { personalYear } from '../reports/worse-worlds.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-worse-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Lines of a transcript of Claude Code whose edits end as the facts say. */
function transcript({ id, atMs, client, model, counts }: ReturnType<typeof personalYear>[number]): string {
  const head = { sessionId: id, version: client, cwd: '/home/me/app', timestamp: new Date(atMs).toISOString() };
  const lines: object[] = [{ ...head, type: 'user', message: { role: 'user', content: 'make it work, SECRET-TEXT' } }];
  for (let call = 0; call < counts.edits.of; call++) {
    const use = { type: 'tool_use', id: `c${call}`, name: 'Edit', input: { file_path: 'a.ts' } };
    const isFailed = call < counts.edits.failures;
    const result = { type: 'tool_result', tool_use_id: `c${call}`, content: 'text', is_error: isFailed };
    lines.push({ ...head, type: 'assistant', message: { role: 'assistant', model, content: [use] } });
    lines.push({ ...head, type: 'user', message: { role: 'user', content: [result] } });
  }
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

it('tells from transcripts that edits fail more since a version, adds a line to the status, and sends no text', async () => {
  const folder = testFolder();
  const projects = join(folder, '.claude', 'projects', '-home-me-app');
  mkdirSync(projects, { recursive: true });
  const nowMs = Date.now();
  const sessions = personalYear(3, 345, { signal: 'edits', from: 300, rate: 0.12, by: 'client' });
  const shiftMs = nowMs - (sessions.at(-1)?.atMs ?? 0) - 60_000;
  for (const one of sessions)
    writeFileSync(join(projects, `${one.id}.jsonl`), transcript({ ...one, atMs: one.atMs + shiftMs }));
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (part) => bodies.push(part));
    request.on('end', () => response.end('ok'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // it listens
  const webhook = `http://127.0.0.1:${port}/hook`;
  const run = (...args: string[]) =>
    runCommand([command, ...args], {
      cwd: folder,
      env: { ...process.env, HOME: folder, COLUMNS: '120', RSI_NOTIFY_WEBHOOK: webhook },
    });
  expect((await run('worse')).stdout).toMatch(/345 sessions.*1 signal got worse/);
  expect((await run('record', 'deploy', '--error', 'no')).code).toBe(0);
  const told = await run('worse');
  expect(told).toMatchObject({ code: 0 });
  expect(told.stdout).toMatch(/edits that fail .* → .* % since client 2\.1\.(?:19|20|21)/);
  expect((await run('status')).stdout).toMatch(/^worse +edits that fail .* since client 2\.1\.\d+/m);
  expect(bodies.join(''), 'an alert').toMatch(/got worse.*edits that fail/s);
  const sent = bodies.length;
  await run('worse');
  expect(bodies, 'it is sent once').toHaveLength(sent);
  server.close();
  const kept = readFileSync(join(folder, 'rsi_data', 'sessions.json'), 'utf8');
  const letter = (await run('worse', '--letter')).stdout;
  for (const text of [kept, letter]) expect(text).not.toContain('SECRET-TEXT');
  expect(letter).toContain('since client');
  expect(letter).not.toContain('app');
  const none = await run('worse', join(folder, 'rsi_data'));
  expect(none).toMatchObject({ code: 2, stdout: '' });
}, 60_000);

it('keeps its numbers in the folder that rsi init made, which takes records afterwards', async () => {
  const folder = testFolder();
  mkdirSync(join(folder, 'rsi_data', 'hooks'), { recursive: true });
  mkdirSync(join(folder, 'sessions'));
  for (const one of personalYear(3, 3)) writeFileSync(join(folder, 'sessions', `${one.id}.jsonl`), transcript(one));
  const run = (...args: string[]) => runCommand([command, ...args], { cwd: folder, env: { HOME: folder } });
  expect((await run('worse', 'sessions')).code).toBe(0);
  expect((await run('status')).stderr).toContain('no records in ./rsi_data yet');
  expect(await run('record', 'deploy', '--error', 'no')).toMatchObject({ code: 0, stderr: '' });
  expect((await run('status')).stdout).toContain('deploy');
});
