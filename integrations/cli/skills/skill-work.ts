import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { checkSkill, openSkills, type SkillLibrary } from 'rsi-loop/skills';
import type { Configuration } from '../config/load.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT, type ExitCode } from '../exit.js';
import { modelOption } from '../models/configured-model.js';
import { isDatabase } from '../store/database.js';
import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { DEFAULT_STORE, lookAt } from '../terminal/look.js';
import { notice, print } from '../terminal/output.js';
import { ACTIONS, type Work } from './actions.js';
import { checkReport } from './render-skills.js';
import { accessOf, type SkillSettings } from './skill-settings.js';

/** Actions that run on other parts than an open folder. */
const OTHERS = ['check', 'serve'];

/** Runs an action on a folder of skills, with the loop of the store if there is one. */
export async function workOnSkills(
  action: string,
  words: readonly string[],
  settings: SkillSettings,
  config: Configuration,
): Promise<ExitCode> {
  mustBeAction(action);
  return withSkills(settings, config, { model: needsModel(action) ? 'needed' : 'none' }, async (skills, loop) => {
    // Not before the store is open: Ctrl-C ends a command that waits for a disk.
    const { signal, release } = onInterrupt();
    try {
      return await runAction(action, loop, { loop, skills, words, settings, signal });
    } finally {
      release();
    }
  });
}

/** Runs an action of an open folder and prints its report. */
export async function runAction(action: string, loop: RSILoop, work: Work): Promise<ExitCode> {
  const run = mustBeAction(action);
  try {
    if (action === 'prove') await whenRebuilt(loop);
    const { report, code = EXIT.done } = await run(work);
    await print(report, work.settings.json);
    return code;
  } catch (error) {
    if (work.signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

function needsModel(action: string): boolean {
  return action === 'learn' || action === 'mutate';
}

function mustBeAction(action: string) {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run) return run;
  const names = [...Object.keys(ACTIONS), ...OTHERS].join(', ');
  throw new LoopError('invalid-input', `there is no "skill ${action}": use ${names}`);
}

/** Opens the folder of skills and the loop of the store, or one in memory if there is no store, and passes both on. */
export async function withSkills(
  settings: SkillSettings,
  config: Configuration,
  { model: use }: { readonly model: 'needed' | 'if-possible' | 'none' },
  work: (skills: SkillLibrary, loop: RSILoop) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { store, skills: folder } = settings;
  const model = use === 'none' ? {} : await modelOption(config, store).catch((error) => withoutModel(error, use));
  const open = async (loop: RSILoop) => {
    const skills = openSkills(loop, { folder, allow: accessOf(settings), ...model });
    skills.on('learning-phase', ({ phase, attempt, note }) => void notice(`${phase} ${attempt}: ${note}`));
    skills.on('problem', ({ message }) => void notice(message));
    try {
      return await work(skills, loop);
    } finally {
      await skills.close();
    }
  };
  // Skills can be used before there is a loop, unless a store is named. Budgets of models may be in its folder already.
  const isMissing = store === DEFAULT_STORE && !existsSync(join(store, 'store.json'));
  return isMissing ? inMemory(open) : withLoop(store, 'decide', open, loopOptions(config));
}

async function withoutModel(error: unknown, use: 'needed' | 'if-possible'): Promise<object> {
  if (use === 'needed' || !LoopError.is(error)) throw error;
  await notice(`without a model: ${error.message}`);
  return {};
}

/** Checks skills offline: those of the folder, or the folders that are named. */
export async function checkSkills(words: readonly string[], { skills, store, json }: SkillSettings): Promise<ExitCode> {
  const folders = words.length > 0 ? words : (await namesIn(skills)).map((name) => join(skills, name));
  const ledger = existsSync(store) && !isDatabase(store) ? new FileStore(store).ledger : undefined;
  const checks = [];
  for (const folder of folders)
    checks.push(await checkSkill(existsSync(folder) ? folder : join(skills, folder), ledger ? { ledger } : {}));
  await print(checkReport(checks, lookAt(process.stdout)), json);
  return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.attention;
}

async function inMemory(work: (loop: RSILoop) => Promise<ExitCode>): Promise<ExitCode> {
  const loop = new RSILoop();
  try {
    return await work(loop);
  } finally {
    await loop.close();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(resolve(folder), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
}
