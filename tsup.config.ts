import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { buildDashboard, DASHBOARD } from './scripts/build-dashboard.js';
import { writeNotices } from './scripts/bundled.js';
import { DOORS } from './scripts/doors.js';
import { leftOut } from './scripts/left-out.js';
import { minified, writeTwins } from './scripts/library-files.js';

const LIBRARY: Options = {
  splitting: true,
  target: 'node20',
  // Doors run in browsers and workers too: nothing may be taken from a platform by the bundler.
  platform: 'neutral',
  // Integrations import the main entry by its name; resolved inside the installed package, it stays one copy.
  external: [/^rsi-loop(\/|$)/, /^node:/],
};

const COMMAND = 'integrations/cli/main.ts';

export default defineConfig(async () => {
  // Here once, because the builds below run side by side and `clean` of the one would delete files of the other.
  rmSync('dist', { recursive: true, force: true });
  return [
    {
      ...LIBRARY,
      format: ['esm'],
      entry: { ...DOORS },
      plugins: [minified],
      onSuccess: () => writeTwins(Object.keys(DOORS), 'dist'),
    },
    {
      ...LIBRARY,
      format: ['cjs'],
      entry: { ...DOORS },
      dts: { only: true, entry: { ...DOORS } },
    },
    {
      entry: { cli: COMMAND },
      onSuccess: async () => {
        await buildDashboard('dist/dashboard');
        await writeNotices([COMMAND, join(DASHBOARD, 'main.tsx')], 'dist');
      },
      format: ['esm'],
      splitting: true,
      minify: true,
      target: 'node20',
      platform: 'node',
      external: [/^rsi-loop(\/|$)/],
      // The command carries what it needs (devDependencies), so that the package has no dependencies.
      noExternal: [/^(?!rsi-loop(\/|$)|node:)/],
      esbuildPlugins: [leftOut],
      // CommonJS packages among them call `require`, which an ES module does not have by itself.
      banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    },
  ];
});
