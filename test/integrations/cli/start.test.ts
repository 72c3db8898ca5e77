import { resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

let outputs: Metafile['outputs'];
beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: [resolve(import.meta.dirname, '../../../integrations/cli/main.ts')],
    outdir: 'never-written',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['rsi-loop', 'rsi-loop/*'],
    logLevel: 'error',
  });
  outputs = metafile.outputs;
});

/** Names of the chunks that `name` loads first, itself included, and of the packages. */
function loadedWith(name: string): { readonly chunks: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const chunks = new Set<string>();
  const packages = new Set<string>();
  const visit = (chunk: string) => {
    if (chunks.has(chunk)) return;
    chunks.add(chunk);
    for (const { path, kind, external } of outputs[chunk]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      if (external) packages.add(path);
      else visit(path);
    }
  };
  visit(name);
  return { chunks, packages };
}

function chunkOf(source: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source));
  if (!found) throw new Error(`${source} has no chunk of its own`);
  return found[0];
}

describe('rsi loads only the verb that is asked for', () => {
  it('prints its help and its version without a verb and without the library', () => {
    const { chunks, packages } = loadedWith(chunkOf('integrations/cli/program.ts'));
    expect([...packages].filter((path) => path.startsWith('rsi-loop'))).toEqual([]);
    const sources = [...chunks].flatMap((chunk) => Object.keys(outputs[chunk]?.inputs ?? {}));
    expect(sources.filter((file) => file.includes('/cli/verbs/'))).toEqual([]);
    const bytes = [...chunks].reduce((sum, chunk) => sum + (outputs[chunk]?.bytes ?? 0), 0);
    expect(bytes).toBeLessThan(64_000);
  });

  it('answers a hook without the help, and reads a folder without a server', () => {
    const hook = loadedWith(chunkOf('integrations/cli/hook/run-hook.ts'));
    expect(hook.chunks).not.toContain(chunkOf('integrations/cli/program.ts'));
    const { packages } = loadedWith(chunkOf('integrations/cli/verbs/fixes.ts'));
    expect([...packages].filter((path) => !path.startsWith('node:')).sort()).toEqual([
      ...['rsi-loop', 'rsi-loop/kit', 'rsi-loop/record'],
    ]);
    expect(packages).not.toContain('node:http');
  });

  it('loads the loop for rsi status only once the store is found', () => {
    const { packages } = loadedWith(chunkOf('integrations/cli/verbs/status.ts'));
    expect([...packages].filter((path) => path.startsWith('rsi-loop'))).toEqual(['rsi-loop/record']);
  });
});
