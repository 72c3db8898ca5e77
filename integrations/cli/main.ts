#!/usr/bin/env node
import { endOnInterrupt } from './terminal/interrupt.js';

if (process.argv[2] === 'hook' && !process.argv.includes('--help') && !process.argv.includes('-h')) {
  // An agent waits for it, so no other module is loaded.
  const { runHook } = await import('./hook/run-hook.js');
  await runHook(process.argv.slice(3));
  process.exit(0);
} else {
  // Before anything else is loaded: Ctrl-C then ends the command with the same exit code at any time. A hook waits for
  // its input without looking at events, so there the signal itself ends the process.
  endOnInterrupt();
  const { runProgram } = await import('./program.js');
  await runProgram();
}
