import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { buildDashboard, DASHBOARD } from './scripts/build-dashboard.js';
import { writeNotices } from './scripts/bundled.js';
import { DOORS } from './scripts/doors.js';
import { minified, packagesOfCommand, writeTwins } from './scripts/library-files.js';
import { writeManual } from './scripts/manual.js';
import { started } from './scripts/run.js';

const COMMAND = 'integrations/cli/main.ts';
const SANDBOX_WORKER = 'integrations/skills/sandboxes/worker/main.ts';

export default defineConfig(() => {
  rmSync('dist', { recursive: true, force: true });
  // Side by side: most of the time goes into the types.
  const types = writeTypes();
  return {
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
      await writeNotices([COMMAND, DOORS.orchestrate ?? '', join(DASHBOARD, 'main.tsx')], 'dist');
      if (!(await types)) process.exit(1);
    },
  };
});

/** Resolves with false at a type error, which the script has printed. */
async function writeTypes(): Promise<boolean> {
  const { code } = await started('tsx', ['scripts/write-types.ts'], 'inherit');
  return code === 0;
}
