import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { originalPosition, parseSourceMap } from '../../../integrations/heal/source-map.js';
import { stackFrames } from '../../../integrations/heal/stack-frames.js';

describe('originalPosition', () => {
  const source =
    'interface A { b: string }\n\nexport function run(a: A): string {\n  const unused: number = 1;\n  return a.b.trim();\n}\n';

  it('finds the line and column that a compiler moved', () => {
    const { code, map } = transformSync(source, { loader: 'ts', sourcemap: true, sourcefile: 'run.ts', minify: true });
    const parsed = parseSourceMap(map);
    const column = code.indexOf('.trim') + 2;
    expect(parsed && originalPosition(parsed, 1, column)).toMatchObject({ source: 'run.ts', line: 5 });
    const plain = transformSync(source, { loader: 'ts', sourcemap: true, sourcefile: 'run.ts' });
    const line = plain.code.split('\n').findIndex((each) => each.includes('return')) + 1;
    const whole = parseSourceMap(plain.map);
    expect(whole && originalPosition(whole, line, 3)).toEqual({ source: 'run.ts', line: 5, column: 3 });
  });

  it('knows nothing about lines without a mapping, and about texts that are no map', () => {
    expect(originalPosition({ sources: ['a.ts'], mappings: ';;AAAA' }, 1, 1)).toBeUndefined();
    expect(originalPosition({ sources: ['a.ts'], mappings: ';;AAAA' }, 9, 1)).toBeUndefined();
    expect(originalPosition({ sources: [], mappings: 'AAAA,!!' }, 1, 1)).toBeUndefined();
    expect(parseSourceMap('{}')).toBeUndefined();
    expect(parseSourceMap('no json')).toBeUndefined();
  });
});

describe('stackFrames', () => {
  it('reads frames of functions, methods, modules and callers without a name', () => {
    const stack = [
      'TypeError: x (at y)',
      '    at price (/app/price.js:3:9)',
      '    at async Order.total [as sum] (file:///app/order.js:10:5)',
      '    at /app/main.js:1:2',
      '    at new Shop (C:\\app\\shop.js:4:4)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      '    at eval (eval at run (/app/run.js:1:1), <anonymous>:3:9)',
      '    at Array.map (<anonymous>)',
    ].join('\n');
    expect(stackFrames(stack)).toEqual([
      { name: 'price', file: '/app/price.js', line: 3, column: 9 },
      { name: 'total', file: 'file:///app/order.js', line: 10, column: 5 },
      { name: '', file: '/app/main.js', line: 1, column: 2 },
      { name: 'Shop', file: 'C:\\app\\shop.js', line: 4, column: 4 },
    ]);
    expect(stackFrames(undefined)).toEqual([]);
    expect(stackFrames('x'.repeat(1_000_000))).toEqual([]);
  });
});
