import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { DOORS, importName } from './scripts/doors.js';

export default defineConfig({
  resolve: {
    // Tests and examples import the package by its public names and get the source behind them.
    alias: Object.entries(DOORS).map(([door, source]) => ({
      find: new RegExp(`^${importName(door)}$`),
      replacement: fileURLToPath(new URL(source, import.meta.url)),
    })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    sequence: { shuffle: { files: true, tests: true } },
    coverage: { provider: 'v8', include: ['src/**', 'integrations/**'] },
  },
});
