import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

const has = (command: string, ...args: readonly string[]) => spawnSync(command, args).status === 0;

let server: TestServer;
afterEach(() => server.close());

/** The server runs in this process, so nothing may wait in it. */
function run(
  command: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, [resolve(file)], { env: { ...process.env, RSI_URL: server.url, ...env } });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    child.on('error', fail).on('close', (code) => done({ code, text }));
  });
}

describe('examples in other languages', () => {
  it.runIf(has('python3', '--version'))('an agent in Python works under the settings it is given', async () => {
    server = await new TestServer({ policy: { 'retries.network': 1 } }).open();
    const { code, text } = await run('python3', 'examples/serve.py');
    expect(code, text).toBe(0);
    expect(text).toContain("'issues': []");
    expect(server.loop.health().byTask).toMatchObject({ fetch_page: { score: 1 } });
    await server.close();
    server = await new TestServer({ policy: { 'retries.network': 0 } }).open();
    expect((await run('python3', 'examples/serve.py')).text).toContain("'issues': ['network']");
  });

  it.runIf(has('curl', '--version'))('a shell sends with curl', async () => {
    server = await new TestServer().open();
    const { code, text } = await run('sh', 'examples/serve.sh');
    expect(code, text).toBe(0);
    expect(text).toContain('"issues":["resource_exhausted"]');
    expect(text).toContain('"accepted":2');
  });

  it.runIf(has('curl', '--version') && has('openssl', 'version'))('a shell signs what it sends', async () => {
    const secret = 'a-secret-of-many-characters';
    server = await new TestServer().open({ hmacSecret: secret });
    const { code, text } = await run('sh', 'examples/serve.sh', { RSI_HMAC_SECRET: secret });
    expect(code, text).toBe(0);
    expect(text).toContain('"accepted":2');
    expect((await run('sh', 'examples/serve.sh', { RSI_HMAC_SECRET: 'another-secret-of-many' })).text).toContain(
      '"status":401',
    );
  });
});
