import { CHECK_ROWS } from './checks.js';
import { CODING_AGENT_ROWS } from './coding-agents.js';
import { FILE_TOOL_ROWS } from './file-tools.js';
import { GIT_ROWS } from './git.js';
import { EXCEPTION_ROWS, PROGRAM_ROWS } from './programs.js';
import type { RemedyRow } from './row.js';
import { SERVICE_ROWS } from './services.js';
import { SHELL_ROWS } from './shell.js';

/** All remedies, in the order in which they are tried. The narrower row comes first. */
// `flat` instead of spreads: bundlers cannot leave out a list that spreads others.
export const REMEDIES: readonly RemedyRow[] = /* @__PURE__ */ [
  CODING_AGENT_ROWS,
  FILE_TOOL_ROWS,
  PROGRAM_ROWS,
  GIT_ROWS,
  SHELL_ROWS,
  CHECK_ROWS,
  SERVICE_ROWS,
  EXCEPTION_ROWS,
].flat();
