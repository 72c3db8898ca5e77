import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { findWorse, type WorseReport } from '../../reports/worse/find-worse.js';
import { readKept } from '../../reports/worse/kept-facts.js';
import { transcriptFolders } from '../agent-homes.js';
import type { Configuration } from '../config/load.js';
import { EXIT } from '../exit.js';
import { notifyOptions } from '../notify/from-config.js';
import { requireOwnData } from '../store/check-folder.js';
import { isDatabase } from '../store/database.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, storeOption, verb } from '../verb.js';
import { joined, keepFacts } from '../worse/facts-file.js';
import { InstructionFiles } from '../worse/instruction-files.js';
import { readFacts, transcriptsUnder } from '../worse/read-facts.js';
import { renderLetter, renderWorse } from '../worse/render-worse.js';
import { keyOf, sendWorse, worseNote } from '../worse/tell-worse.js';

interface Options {
  readonly store: string;
  readonly json?: true;
  readonly letter?: true;
}

/** A transcript that was written shortly before the last look may have grown during it. */
const OVERLAP_MS = 3_600_000;

/** The verb `rsi worse [path...]`: finds signals of coding agents that got worse, since when, and with what. */
export const worse = verb<Options, readonly string[]>({
  description:
    'Finds out whether your coding agents got worse: edits, commands and other calls that fail, and turns that you correct. Reads session transcripts of Claude Code and Codex and compares each session with all earlier ones. Names the version, model, repository or changed AGENTS.md with which a change came. Keeps numbers of sessions, and no texts, in the folder of the loop, if there is one: "rsi status" shows a change from there, and the next call reads only new transcripts.',
  examples: [
    ['worse', 'of Claude Code and Codex on this machine'],
    ['worse sessions', 'of transcripts in a folder'],
    ['worse --letter', 'a report to send, with numbers alone'],
  ],
  options: [storeOption(), new Option('--letter', 'print a report to send, in Markdown'), jsonOption()],
  run: async ({ store, json, letter }, given, config) => {
    const folder = !isDatabase(store) && existsSync(resolve(store)) ? resolve(store) : undefined;
    if (folder !== undefined) requireOwnData(folder);
    const kept = folder === undefined ? undefined : readKept(folder);
    const paths = given.length > 0 ? given.map((path) => resolve(path)) : (kept?.paths ?? ofThisMachine());
    const isSame = kept !== undefined && paths.join('\n') === kept.paths.join('\n');
    const readMs = Date.now();
    const files = transcriptsUnder(paths, isSame ? kept.readMs - OVERLAP_MS : Number.NEGATIVE_INFINITY);
    const instructions = new InstructionFiles();
    const read = files.flatMap((path) => readFacts(path, instructions));
    const sessions = joined(isSame ? kept.sessions : [], read);
    if (sessions.length === 0)
      throw new LoopError(
        'invalid-input',
        'no session of a coding agent was found: name the folder of its transcripts, such as ~/.claude/projects',
      );
    const document = findWorse(sessions);
    if (folder !== undefined) {
      const told = await tell(document, kept?.told ?? [], config);
      keepFacts(folder, { readMs, paths, sessions, told });
    }
    const text = letter ? renderLetter(document) : renderWorse(document, lookAt(process.stdout, store));
    await print({ document, text }, json);
    return EXIT.done;
  },
});

/** Sends an alert on changes that are new. Returns the keys of all that need no further alert. */
async function tell(
  document: WorseReport,
  told: readonly string[],
  config: () => Promise<Configuration>,
): Promise<readonly string[]> {
  const note = worseNote(document, told, Date.now());
  const isSettled = !note || (await sendWorse(note, await notifyOptions(await config(), process.env)));
  return isSettled ? document.worsenings.map(keyOf) : told;
}

/** Returns the folders of transcripts on this machine. */
function ofThisMachine(): readonly string[] {
  return Object.values(transcriptFolders()).filter((path) => existsSync(path));
}
