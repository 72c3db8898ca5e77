import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ended, startNode } from '../../run-node.js';
import { type Receiver, receive } from '../notify/receiver.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-notify-'));
let command = '';
let target: Receiver;
beforeAll(async () => {
  command = await buildCommand(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => target?.close());

const rsi = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCommand([command, ...args], { cwd: folder, env });

describe('rsi notify', () => {
  it('says how to configure a target if there is none', async () => {
    const { code, stderr } = await rsi(['notify']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: no target for alerts is configured: set RSI_NOTIFY_SLACK to the address of a Slack webhook, or "notify" in rsi.config.ts\n',
    });
  });

  it('sends a test alert to each target and never prints an address', async () => {
    target = await receive();
    writeFileSync(
      join(folder, 'rsi.config.json'),
      JSON.stringify({
        notify: {
          healthBelow: 0.7,
          quietHours: '22:00-07:00',
          timeZone: 'UTC',
          targets: [{ kind: 'discord', url: '$HOOK' }],
        },
      }),
    );
    const env = { HOOK: target.url, RSI_NOTIFY_SLACK: target.url };
    const shown = await rsi(['notify'], env);
    const sent = await rsi(['notify', '--test', '--json'], env);
    const config = await rsi(['config'], env);
    const unset = await rsi(['notify'], {});
    rmSync(join(folder, 'rsi.config.json'));
    const host = new URL(target.url).host;
    expect(shown.stdout).toContain(`slack ${host}`);
    expect(shown.stdout).toContain('22:00-07:00 UTC');
    expect(sent.code).toBe(0);
    expect(JSON.parse(sent.stdout)).toMatchObject({
      format: 'rsi-notify/1',
      targets: [
        { target: `slack ${host}`, isSent: true },
        { target: `discord ${host}`, isSent: true },
      ],
    });
    expect(target.received.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: expect.stringContaining('Test of rsi alerts') }),
        expect.objectContaining({ content: expect.stringContaining('Test of rsi alerts') }),
      ]),
    );
    expect([shown, sent, config].map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain('geheim');
    expect(unset).toMatchObject({
      code: 2,
      stderr: 'error: notify.targets[0].url names the variable HOOK, which is not set: set it\n',
    });
  });

  it('ends with 1 if an alert does not arrive', async () => {
    target = await receive((_, response) => response.writeHead(404).end());
    const { code, stdout } = await rsi(['notify', '--test'], { RSI_NOTIFY_TEAMS: target.url });
    expect(code).toBe(1);
    expect(stdout).toMatch(/not sent: it answered 404/);
    expect(target.received).toHaveLength(1);
  });

  it('ends with 130 at Ctrl-C while a server hangs', async () => {
    target = await receive(() => {});
    const child = startNode([command, 'notify', '--test'], { cwd: folder, env: { RSI_NOTIFY_SLACK: target.url } });
    const end = ended(child);
    await target.until(1);
    child.kill('SIGINT');
    expect((await end).code).toBe(130);
  });
});

describe.runIf(process.platform === 'linux')('desktop alerts', () => {
  it('get title and text as arguments of notify-send', async () => {
    const fake = '#!/bin/sh\nprintf "%s\\n" "$@" > "$ARGS"\n';
    writeFileSync(join(folder, 'notify-send'), fake, { mode: 0o755 });
    const env = { RSI_NOTIFY_DESKTOP: 'true', PATH: `${folder}:${process.env.PATH}`, ARGS: join(folder, 'args') };
    const { code, stdout } = await rsi(['notify', '--test'], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/desktop +sent/);
    expect(readFileSync(join(folder, 'args'), 'utf8')).toBe(
      '--app-name=rsi\n--\nTest of rsi alerts\nIf you can read this, alerts arrive here.\n',
    );
  });

  it('say if notify-send is missing', async () => {
    rmSync(join(folder, 'notify-send'), { force: true });
    const { code, stdout } = await rsi(['notify', '--test'], { RSI_NOTIFY_DESKTOP: 'true', PATH: folder });
    expect(code).toBe(1);
    expect(stdout).toContain('not sent: notify-send is not installed');
  });
});

describe('rsi serve', () => {
  it('sends alerts, and writes no address', async () => {
    target = await receive();
    const env = { RSI_NOTIFY_WEBHOOK: target.url, RSI_NOTIFY_EVERY_MS: '1000' };
    const child = startNode([command, 'serve', '--port', '0', '--cycle', '1', '--store', 'day'], { cwd: folder, env });
    const end = ended(child);
    const printed = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk) => resolve(String(chunk))),
    );
    const url = /listening on (\S+),/.exec(printed)?.[1] ?? '';
    const lines = Array.from({ length: 60 }, (_, call) => {
      return JSON.stringify(
        call % 3 ? { task: 'pay', success: true } : { task: 'pay', success: false, error: 'ECONNRESET' },
      );
    });
    await fetch(`${url}/observe`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    await target.until(1);
    child.kill('SIGINT');
    const { stdout, stderr } = await end;
    expect(target.received[0]?.body).toMatchObject({ title: 'New: pay · network', task: 'pay', issue: 'network' });
    expect(stdout + stderr).not.toContain('geheim');
    const store = join(folder, 'day');
    const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).map((file) => join(store, file));
    const written = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'utf8'));
    expect(written.join()).not.toContain('geheim');
    // The next server on this store does not repeat it.
    const again = startNode([command, 'serve', '--port', '0', '--cycle', '1', '--store', 'day'], { cwd: folder, env });
    const secondEnd = ended(again);
    await new Promise<void>((resolve) => again.stdout.once('data', () => resolve()));
    again.kill('SIGINT');
    await secondEnd;
    expect(target.received).toHaveLength(1);
  });
});
