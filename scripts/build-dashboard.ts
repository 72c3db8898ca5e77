/** Builds the page of the dashboard. Alone: `tsx scripts/build-dashboard.ts [FOLDER]`. */
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const DASHBOARD = 'integrations/dashboard/page';

/** Writes `index.html`, `dashboard.js` and `dashboard.css` into `folder`. */
export async function buildDashboard(folder: string): Promise<void> {
  await build({
    entryPoints: { dashboard: join(DASHBOARD, 'main.tsx') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
  });
  await copyFile(join(DASHBOARD, 'index.html'), join(folder, 'index.html'));
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  await buildDashboard(process.argv[2] ?? 'dist/dashboard');
}
