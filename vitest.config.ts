import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests and examples import the package by its public names and get the source behind them.
    alias: [
      { find: /^rsi-loop$/, replacement: source('./src/index.ts') },
      { find: /^rsi-loop\/(node|testing)$/, replacement: source('./src/$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    testTimeout: 30_000,
    sequence: { shuffle: { files: true, tests: true } },
    coverage: { provider: 'v8', include: ['src/**', 'integrations/**'] },
  },
});
