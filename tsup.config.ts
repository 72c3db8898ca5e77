import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { buildDashboard, DASHBOARD } from './scripts/build-dashboard.js';
import { writeNotices } from './scripts/bundled.js';
import { DOORS } from './scripts/doors.js';
import { minified, packagesOfCommand, writeTwins } from './scripts/library-files.js';
import { writeManual } from './scripts/manual.js';

const COMMAND = 'integrations/cli/main.ts';
const SANDBOX_WORKER = 'integrations/skills/sandboxes/worker/main.ts';

export default defineConfig(async () => {
  // Here once, because the builds below run side by side and `clean` of the one would delete files of the other.
  rmSync('dist', { recursive: true, force: true });
  return [
    {
      // One build of library and command, so that they share their files.
      entry: { ...DOORS, cli: COMMAND, 'sandbox-worker': SANDBOX_WORKER },
      format: ['esm'],
      splitting: true,
      target: 'node20',
      platform: 'node',
      // The plugins decide which packages are bundled.
      noExternal: [/./],
      esbuildPlugins: [packagesOfCommand],
      plugins: [minified],
      onSuccess: async () => {
        await writeTwins(Object.keys(DOORS), 'dist');
        await buildDashboard('dist/dashboard');
        writeManual('dist');
        await writeNotices([COMMAND, join(DASHBOARD, 'main.tsx')], 'dist');
      },
    },
    {
      entry: { ...DOORS },
      format: ['cjs'],
      target: 'node20',
      // Integrations import the main entry by its name; resolved inside the installed package, it stays one copy.
      external: [/^rsi-loop(\/|$)/, /^node:/],
      dts: { only: true, entry: { ...DOORS } },
    },
  ];
});
