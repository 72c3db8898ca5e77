import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSandboxed } from '../../../../integrations/bench/sandbox/sandbox.js';
import type { SandboxOptions } from '../../../../integrations/bench/sandbox/sandbox-options.js';

/** Whether programs can be isolated here. Without namespaces, only the refusal can be tested. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

const run = (program: string, options: SandboxOptions = {}) =>
  runSandboxed(process.execPath, ['program.mjs'], { ...options, files: { 'program.mjs': program } });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Processes of the machine whose command line has the text. */
const alive = (text: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('ps '));

describe.skipIf(!isolates)('the sandbox', () => {
  it('returns the exit code, the output, and what it enforced', async () => {
    const result = await run("console.log('hi'); console.error('no'); process.exit(3)");
    expect(result).toMatchObject({ ended: 'exit', code: 3, stdout: 'hi\n', stderr: 'no\n' });
    expect(Object.values(result.enforced)).toEqual([true, true, true, true, true, true]);
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('passes arguments, standard input and files as they are', async () => {
    const args = ['-e', 'process.stdin.pipe(process.stdout); console.log(process.argv[1])', '$(id) "; exit 1'];
    expect((await runSandboxed(process.execPath, args, { input: 'in' })).stdout).toBe('$(id) "; exit 1\nin');
    const read = await runSandboxed('cat', ['a b/c.txt'], { files: { 'a b/c.txt': 'text' } });
    expect(read.stdout).toBe('text');
  });

  it('kills a program that sleeps forever and ignores SIGTERM', async () => {
    const program = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)";
    expect(await run(program, { timeoutMs: 400 })).toMatchObject({ ended: 'timed-out' });
  });

  it('kills a program that writes 1 GB, and returns the first part', async () => {
    const result = await run(
      "const c = Buffer.alloc(1e6, 'x'); for (let i = 0; i < 1000; i++) process.stdout.write(c)",
      {
        maxOutputBytes: 5000,
      },
    );
    expect(result.ended).toBe('output');
    expect(result.stdout).toBe('x'.repeat(5000));
  });

  it('limits a fork bomb, and leaves none of its processes', async () => {
    const marker = `bomb${process.pid}`;
    const bomb = `f() { sleep 60.${process.pid} & f & f; }; f # ${marker}`;
    const result = await runSandboxed('sh', ['-c', bomb], { timeoutMs: 1500, maxProcesses: 20 });
    expect(result.stderr).toMatch(/fork|unavailable/i);
    expect(alive(marker)).toEqual([]);
    expect(alive(`sleep 60.${process.pid}`)).toEqual([]);
  });

  it('limits memory of one process, and of all together', async () => {
    const allocate = 'const all = []; for (;;) all.push(Buffer.alloc(64e6, 1))';
    const one = await run(allocate, { memoryMb: 300 });
    expect(one.ended === 'memory' || one.code !== 0).toBe(true);
    const children = `import { spawn } from 'node:child_process';
      for (let i = 0; i < 4; i++) spawn(process.execPath, ['-e', 'const b = Buffer.alloc(150e6, 1); setInterval(() => b, 1e6)']);
      setInterval(() => {}, 1000)`;
    expect(await run(children, { memoryMb: 300, maxProcesses: 90 })).toMatchObject({ ended: 'memory' });
  });

  it('limits the disk', async () => {
    const fill = `import { appendFileSync } from 'node:fs';
      try { for (let i = 0; ; i++) appendFileSync('f' + (i % 3), Buffer.alloc(1e6)) } catch (e) { console.log(e.code) }`;
    expect(await run(fill, { diskMb: 8 })).toMatchObject({ stdout: 'ENOSPC\n' });
  });

  it('has no network, unless it is asked for', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens
    const ask = `fetch('http://127.0.0.1:${port}').then((r) => r.text(), (e) => e.cause.code).then(console.log)`;
    expect((await run(ask)).stdout).not.toContain('reached');
    const open = await run(ask, { allowNetwork: true });
    expect(open).toMatchObject({ stdout: 'reached\n', enforced: { network: false, files: true } });
    server.close();
  });

  it('inherits no environment', async () => {
    const { stdout } = await run("console.log(Object.keys(process.env).sort().join(' '))", { environment: { X: '1' } });
    expect(stdout.trim()).toBe('HOME LANG PATH PWD TMPDIR X');
  });

  it('reads and writes nothing outside', async () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'secret');
    const program = (path: string) => `import fs from 'node:fs';
      const tried = (f) => { try { return f() } catch (e) { return e.code } };
      const paths = [${JSON.stringify(path)}, '/etc/passwd', '/proc/1/root/etc/passwd', '/old/etc/passwd', '../../etc/passwd'];
      console.log(JSON.stringify(paths.map((p) => tried(() => fs.readFileSync(p, 'utf8')))));
      console.log(tried(() => fs.writeFileSync('/usr/hacked', '')), tried(() => fs.writeFileSync('/proc/sys/kernel/hostname', 'x')))`;
    const hidden = await run(program(secret));
    expect(hidden.stdout).not.toMatch('secret"');
    expect(hidden.stdout).not.toMatch('root:');
    expect(hidden.stdout).not.toMatch('undefined');
    expect((await run(program(secret), { readable: [secret] })).stdout).toMatch(/^\["secret"/);
  });

  it('shows hidden folders as empty, also inside of readable ones', async () => {
    const options = { hidden: ['/usr/share', '/does/not/exist', join(folder, 'held out')], folder };
    mkdirSync(join(folder, 'held out'));
    writeFileSync(join(folder, 'held out', 'answer'), '42');
    const result = await runSandboxed('sh', ['-c', 'ls -A /usr/share "held out"; umount /usr/share'], options);
    expect(result.stdout).toBe('/usr/share:\n\nheld out:\n');
    expect(result.code).not.toBe(0);
  });

  it('gains no privileges', async () => {
    const tries = ['mount -t tmpfs x /scratch', 'umount -l /usr', 'unshare --net true', 'kill -9 1', 'chroot / true'];
    const script = `${tries.map((each) => `(${each}) 2>/dev/null && echo "${each}"`).join('; ')}; grep CapEff /proc/self/status`;
    expect((await runSandboxed('sh', ['-c', script])).stdout).toMatch(/^(kill -9 1\n)?CapEff:\s+0+\n$/);
  });

  it('leaves no background process, also of a session of its own', async () => {
    const marker = `sleep 61.${process.pid}`;
    const result = await runSandboxed('sh', ['-c', `setsid ${marker} & (setsid setsid ${marker} &) ; exit 0`]);
    expect(result).toMatchObject({ ended: 'exit', code: 0 });
    expect(alive(marker)).toEqual([]);
  });

  it('ends when its caller is killed', async () => {
    const marker = `sleep 62.${process.pid}`;
    const script = `import { runSandboxed } from ${JSON.stringify(join(import.meta.dirname, '../../../../integrations/bench/sandbox/sandbox.ts'))};
      setInterval(() => {}, 1000);
      void runSandboxed('sh', ['-c', ${JSON.stringify(`echo up >&2; ${marker}`)}], { timeoutMs: 60000 });
      const { execFileSync } = await import('node:child_process');
      for (;;) if (execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\\n').some((l) => l === ${JSON.stringify(marker)})) process.kill(process.pid, 'SIGKILL'); else await new Promise((r) => setTimeout(r, 20));`;
    writeFileSync(join(folder, 'caller.ts'), script);
    expect(() => execFileSync('node_modules/.bin/tsx', [join(folder, 'caller.ts')], { stdio: 'ignore' })).toThrow();
    await expect.poll(() => alive(marker), { timeout: 10_000 }).toEqual([]);
  });

  it('starts in a folder whose changes are discarded', async () => {
    writeFileSync(join(folder, 'kept.txt'), 'old');
    const program = "const fs = require('fs'); fs.writeFileSync('kept.txt', 'new'); fs.writeFileSync('b', ''); ";
    const args = ['-e', `${program} console.log(process.cwd(), fs.readFileSync('kept.txt', 'utf8'))`];
    const result = await runSandboxed(process.execPath, args, { folder });
    expect(result.stderr).toBe('');
    expect(result.stdout).toBe(`${folder} new\n`);
    expect(readdirSync(folder)).toEqual(['kept.txt']);
    expect(readFileSync(join(folder, 'kept.txt'), 'utf8')).toBe('old');
  });

  it('reports which files of the folder a command changed, also if it hides them', async () => {
    for (const name of ['kept', 'gone', 'written']) writeFileSync(join(folder, name), name);
    mkdirSync(join(folder, 'tests'));
    writeFileSync(join(folder, 'tests', 'a'), '');
    const script = `echo x >> written; rm gone; mkdir new; echo x > new/file; echo x > short; rm short
      rm -r tests; mkdir tests; echo x > tests/b; rm -rf /.layers/*`;
    const { changed, left } = await runSandboxed('sh', ['-c', script], { folder });
    expect([...(changed ?? [])].sort()).toEqual(['gone', 'new/file', 'tests/a', 'tests/b', 'written']);
    expect(left).toBe(0);
    expect((await runSandboxed('true', [])).changed).toBeUndefined();
  });

  it('runs no program of the path of the command outside of it', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const names = ['setpriv', 'unshare', 'prlimit', 'find', 'sleep', 'umount', 'sh', 'env', 'own'];
    const write = (name: string) =>
      writeFileSync(join(bin, name), `#!/bin/sh\necho ran ${name} >&2\n`, { mode: 0o755 });
    for (const name of names) write(name);
    const environment = { PATH: `${bin}:/usr/bin:/bin` };
    const script = `own; for each in ${names.join(' ')}; do echo '#!/bin/sh' > bin/$each; echo 'echo ran >&2' >> bin/$each; done`;
    const result = await runSandboxed('/bin/sh', ['-c', script], { folder, environment });
    expect(result).toMatchObject({ code: 0, stderr: 'ran own\n', left: 0 });
    expect(result.changed).toHaveLength(names.length);
  });

  it('reports processes that are left', async () => {
    expect((await runSandboxed('sh', ['-c', '(setsid sleep 64 &); sleep 65 & exit 0'])).left).toBe(2);
    expect((await runSandboxed('sh', ['-c', 'sleep 0.1 & exit 0'])).left).toBe(0);
  });

  it('shows a linked folder at another path, read only', async () => {
    const [work, modules] = [join(folder, 'work'), join(folder, 'modules')];
    for (const path of [work, modules]) mkdirSync(path);
    writeFileSync(join(modules, 'a'), 'linked');
    const options = { folder: work, linked: { [join(work, 'node_modules')]: modules } };
    const result = await runSandboxed('sh', ['-c', 'cat node_modules/a; echo x > node_modules/a; ls ..'], options);
    expect(result.stdout).toBe('linkedwork\n');
    expect(result.stderr).toMatch(/Read-only/);
    expect(result.changed).toEqual([]);
  });

  it('runs as an unused user in a folder that all may write to', async () => {
    chmodSync(folder, 0o777);
    const { stdout } = await runSandboxed('sh', ['-c', 'id -u; touch a && echo written'], { folder });
    expect(stdout).toMatch(process.getuid?.() === 0 ? /^\d{10}\nwritten/ : /written/);
  });

  it('stops by its signal, and reports the signal of a crash', async () => {
    const stop = new AbortController();
    const running = runSandboxed('sleep', ['60'], { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ ended: 'stopped' });
    expect(await run("process.kill(process.pid, 'SIGKILL')")).toMatchObject({ ended: 'exit', signal: 'SIGKILL' });
  });

  it('leaves no files', async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = folder;
    try {
      await run("import fs from 'node:fs'; fs.mkdirSync('a'); fs.writeFileSync('a/b', ''); fs.chmodSync('a', 0)");
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a machine without namespaces', () => {
  /** A machine whose only programs are a shell and this Node. */
  const bare = async (command: string, options: SandboxOptions = {}) => {
    symlinkSync('/bin/sh', join(folder, 'sh'));
    const { PATH } = process.env;
    process.env.PATH = folder;
    try {
      return await runSandboxed('/bin/sh', ['-c', command], { ...options, environment: { PATH: folder } });
    } finally {
      process.env.PATH = PATH;
    }
  };

  it('refuses to run a command, and says what is missing', async () => {
    await expect(bare('echo hi')).rejects.toThrow(/^this machine cannot isolate a command \(.*setpriv.*\): use Linux/);
  });

  it('runs it if that is allowed, and says that nothing was enforced', async () => {
    const result = await bare('echo hi; pwd; exit 2', { unsafe: true, files: { a: '' } });
    expect(result).toMatchObject({ ended: 'exit', code: 2, stdout: expect.stringMatching(/^hi\n.*files\n$/) });
    expect(Object.values(result.enforced)).toEqual([false, false, false, false, false, false]);
  });

  it('still limits time and output, and kills the process group', async () => {
    const marker = `63.${process.pid}`;
    const late = await bare(`/bin/sleep ${marker} & /bin/sleep ${marker}`, { unsafe: true, timeoutMs: 300 });
    expect(late.ended).toBe('timed-out');
    expect(alive(marker)).toEqual([]);
  });
});

describe('options of the sandbox', () => {
  it('are rejected with their name and value', async () => {
    const fails = (options: SandboxOptions) => expect(runSandboxed('true', [], options)).rejects;
    await fails({ timeoutMs: 0 }).toThrow('timeoutMs is 0: give a whole number above 0');
    await fails({ memoryMb: 1.5 }).toThrow('memoryMb is 1.5');
    await fails({ files: { '../x': '' } }).toThrow('"../x" is outside of the scratch folder');
    await fails({ readable: ['x'] }).toThrow('"x" is relative');
    await fails({ folder: '/does/not/exist' }).toThrow('cannot run a sandbox in /does/not/exist');
  });
});
