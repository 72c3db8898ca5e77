#!/usr/bin/env node
/** The command `rsi` in a clone: runs the sources as they are. */
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
await import('../integrations/cli/main.ts');
