import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the entry rsi-loop/record', () => {
  it('is one small file for a browser that imports nothing and records there', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ['src/record/index.ts'],
      bundle: true,
      minify: true,
      format: 'iife',
      globalName: 'rsi',
      platform: 'browser',
      target: 'es2022',
      metafile: true,
      write: false,
      logLevel: 'error',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    expect(inputs.filter((file) => !file.startsWith('src/'))).toEqual([]);
    expect(inputs.filter((file) => /^src\/(node|analyze|verify|ledger|fix|inspect)\//.test(file))).toEqual([]);
    const code = outputFiles[0]?.text ?? '';
    expect(gzipSync(code).length).toBeLessThanOrEqual(45_000);

    const bodies: string[] = [];
    // A page has no process, no require and no Buffer.
    const page = createContext({
      URL,
      AbortController,
      performance,
      crypto,
      console,
      setTimeout,
      clearTimeout,
      Response,
      Headers,
      fetch: async (_: string, init: RequestInit) => {
        bodies.push(String(init.body));
        return Response.json({ accepted: 1 }, { status: 201 });
      },
    });
    runInContext(code, page);
    const left = await runInContext(
      `const recorder = new rsi.Recorder({ url: 'https://loop.test/rsi' });
       recorder.observer.recordSimple('click', { success: false, error: new Error('password=hunter22 was refused') });
       recorder.flush()`,
      page,
    );
    expect(left).toBe(0);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ task: 'click', success: false, error: { name: 'Error' } });
    expect(bodies[0]).not.toContain('hunter22');
  });
});
