#!/usr/bin/env node
if (process.argv[2] === 'hook' && !process.argv.includes('--help') && !process.argv.includes('-h')) {
  // An agent waits for it, so no other module is loaded.
  const { runHook } = await import('./hook/run-hook.js');
  await runHook(process.argv.slice(3));
  process.exit(0);
} else {
  const { runProgram } = await import('./program.js');
  await runProgram();
}

export {};
