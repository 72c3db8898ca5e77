import { rmSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { DOORS } from './scripts/doors.js';

export default defineConfig(() => {
  // Here once, because the two builds below run side by side and `clean` of the one would delete files of the other.
  rmSync('dist', { recursive: true, force: true });
  return [
    {
      entry: { ...DOORS },
      format: ['esm', 'cjs'],
      dts: { entry: { ...DOORS } },
      splitting: true,
      target: 'node20',
      // Doors run in browsers and workers too: nothing may be taken from a platform by the bundler.
      platform: 'neutral',
      // Integrations import the main entry by its name; resolved inside the installed package, it stays one copy.
      external: [/^rsi-loop(\/|$)/, /^node:/],
    },
    {
      entry: { cli: 'integrations/cli/main.ts' },
      format: ['esm'],
      splitting: true,
      target: 'node20',
      platform: 'node',
      external: [/^rsi-loop(\/|$)/],
      // The command carries what it needs (devDependencies), so that the package has no dependencies.
      noExternal: [/^(?!rsi-loop(\/|$)|node:)/],
      // CommonJS packages among them call `require`, which an ES module does not have by itself.
      banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    },
  ];
});
