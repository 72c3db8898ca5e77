import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { DOORS, importName } from './scripts/doors.js';
import { LongFilesFirst } from './test/long-files-first.js';

/** Files that take many seconds each: whole programs, killed processes, simulations. */
const SLOW = 'test/**/*.slow.test.ts';

export default defineConfig({
  resolve: {
    // Tests and examples import the package by its public names and get the source behind them.
    alias: Object.entries(DOORS).map(([door, source]) => ({
      find: new RegExp(`^${importName(door)}$`),
      replacement: fileURLToPath(new URL(source, import.meta.url)),
    })),
  },
  test: {
    setupFiles: ['test/fixed-seed.ts'],
    // Ends tests that hang. Busy machines have stopped a whole process for a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // A shared worker that has run 200 files takes many seconds to end.
    teardownTimeout: 120_000,
    // Files share the loaded source: there is no state in modules, and loading it for each file takes longer than the tests.
    isolate: false,
    maxWorkers: '100%',
    // Tests create many objects that live for a moment: with more room for them, a fifth of the processor time is saved.
    execArgv: ['--max-semi-space-size=32'],
    sequence: { shuffle: { tests: true }, sequencer: LongFilesFirst },
    coverage: { provider: 'v8', include: ['src/**', 'integrations/**'] },
    projects: [
      { extends: true, test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [SLOW] } },
      // A process per file: some of them measure real time, or the memory of the process.
      { extends: true, test: { name: 'slow', include: [SLOW], isolate: true } },
    ],
  },
});
