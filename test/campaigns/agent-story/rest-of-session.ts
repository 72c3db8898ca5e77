/** Runs the hooks of a session after its beginning, one after another: `node rest.mjs <store> <body>...`. */
import { runHook } from '../../../integrations/cli/hook/run-hook.js';

const [store = '', ...bodies] = process.argv.slice(2);
for (const body of bodies) await runHook(['claude', '--store', store, '--no-background', body]);
