import { randomUUID } from 'node:crypto';
import { LoopError, RSILoop } from 'rsi-loop';
import { openSkills } from 'rsi-loop/skills';
import { serveSkills } from '../../clients/skills.js';
import { counted } from '../../reports/words/numbers.js';
import type { Configuration } from '../config/load.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT, type ExitCode } from '../exit.js';
import { shownStore } from '../store/database.js';
import { onProblem } from '../store/open-loop.js';
import { openOrCreate } from '../store/open-store.js';
import { interruption } from '../terminal/interrupt.js';
import { notice } from '../terminal/output.js';
import { accessOf, type SkillSettings } from './skill-settings.js';

/**
 * Serves the skills of a folder over MCP on standard input and output, until the client leaves. The loop of the store
 * records the calls. Messages for people go to standard error.
 */
export async function serveFolder(
  words: readonly string[],
  settings: SkillSettings,
  config: Configuration,
): Promise<ExitCode> {
  if (words.length > 0)
    throw new LoopError('invalid-input', `serve offers all active skills: leave out "${words.join(' ')}"`);
  const { store, skills: folder } = settings;
  const loop = new RSILoop({ ...loopOptions(config), store: await openOrCreate(store) });
  onProblem(loop, (message) => void notice(message));
  const skills = openSkills(loop, { folder, allow: accessOf(settings) });
  skills.on('problem', ({ message }) => void notice(message));
  const controller = new AbortController();
  try {
    await loop.ready();
    if (loop.hasLostStore) throw new LoopError('store-failed', `${shownStore(store)} cannot be read`);
    const offered = (await skills.list()).filter(({ isOffered }) => isOffered).length;
    const ending = interruption();
    await notice(
      `serving ${counted(offered, 'skill', 'skills')} of ${folder} over MCP on standard input and output; Ctrl-C ends it`,
    );
    const session = `mcp-${randomUUID()}`;
    const { stdin: input, stdout: output } = process;
    const served = serveSkills(skills, { input, output, signal: controller.signal, session });
    const code = await Promise.race([ending, served.then(() => EXIT.done)]);
    controller.abort();
    await served;
    return code;
  } finally {
    await skills.close();
    await loop.close();
  }
}
