import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { readAll } from '../analyze/read-all.js';
import { render } from '../analyze/render-analysis.js';
import { makeReport } from '../analyze/report.js';
import { Survey } from '../analyze/survey.js';
import { EXIT, type ExitCode } from '../exit.js';
import { makeChanges, type Places, recordPath, undoChanges } from '../init/changes.js';
import { detect, type Found, type Transcripts } from '../init/detect.js';
import { makePlan, type Plan } from '../init/init-plan.js';
import { renderAdvice, renderPlan, renderUndone, verbOf } from '../init/render-init.js';
import { folderOf } from '../store/folder-of.js';
import { askYes } from '../terminal/ask.js';
import { DEFAULT_STORE, type Look, lookAt } from '../terminal/look.js';
import { print, write } from '../terminal/output.js';
import { jsonOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly undo?: true;
  readonly json?: true;
}

/** Number of patterns in the first report. */
const FIRST_PATTERNS = 5;

/** The verb `rsi init`: attaches a loop to the project in the working folder. */
export const init = verb<Options>({
  description:
    'Looks for coding agents, their transcripts, libraries in package.json, and AGENTS.md. Prints a numbered plan with each file, and carries it out after a yes: the configuration, the hooks of Claude Code, a line in .gitignore. Then prints what fails in existing transcripts; it reads them on this machine, and sends nothing. Never edits your source code: it prints the lines to paste. Running it again changes nothing.',
  examples: [
    ['init', 'show the plan, and ask'],
    ['init --dry-run', 'show the plan only'],
    ['init --undo', 'restore every file to the byte'],
  ],
  options: [
    new Option('--yes', 'carry out the plan without asking'),
    new Option('--dry-run', 'print the plan only').conflicts(['yes', 'undo']),
    new Option('--undo', 'undo what init changed; records stay').conflicts('yes'),
    storeOption('the folder of the loop; created if it is missing'),
    jsonOption(),
  ],
  run: async (options, _argument, config) => {
    const project = realpathSync(process.cwd());
    if (existsSync(homedir()) && project === realpathSync(homedir()))
      throw new LoopError('invalid-input', 'this is your home folder: run "rsi init" in the folder of a project');
    const places = { project, store: resolve(project, folderOf(options.store, 'init')) };
    if (options.undo) return undo(places, options.json);
    const { file, manifest } = (await config()).files;
    const found = detect(project);
    const inForce = file ?? manifest;
    const command = realpathSync(process.argv[1] ?? 'rsi');
    const plan = await makePlan({ ...places, found, command, ...(inForce !== undefined && { config: inForce }) });
    return carryOut(plan, found, places, options);
  },
});

async function carryOut(plan: Plan, found: Found, places: Places, options: Options): Promise<ExitCode> {
  const { json, yes = false, dryRun = false } = options;
  const look = lookAt(process.stdout);
  const hasWork = plan.changes.length + plan.transcripts.length > 0;
  if (!json) await write(process.stdout, `${renderPlan(found, plan, places.project, look)}\n`);
  const isAsked = !yes && !dryRun && !json && hasWork && process.stdin.isTTY && process.stdout.isTTY;
  const isAgreed = hasWork && !dryRun && (yes || (isAsked && (await askYes('Do this?'))));
  if (isAgreed) await makeChanges(plan.changes, places);
  if (json) await print({ document: documentOf(plan, found, places, isAgreed), text: '' }, true);
  else if (!(await conclude(plan, found, look, { isAgreed, isAsked, hasWork, dryRun }))) return EXIT.interrupted;
  if (plan.blocked.length > 0) return EXIT.attention;
  return isAgreed || isAsked || dryRun || !hasWork ? EXIT.done : EXIT.attention;
}

interface Answer {
  readonly isAgreed: boolean;
  readonly isAsked: boolean;
  readonly hasWork: boolean;
  readonly dryRun: boolean;
}

/** Prints the result, the first report and the advice. Returns false if Ctrl-C ended the report. */
async function conclude(plan: Plan, found: Found, look: Look, answer: Answer): Promise<boolean> {
  const { isAgreed, isAsked, hasWork, dryRun } = answer;
  if (!isAgreed && hasWork && !dryRun) {
    const instead = isAsked ? '' : `: "${look.next('init --yes')}" does it`;
    await write(process.stdout, `Nothing was written${instead}.\n`);
    return true;
  }
  if (isAgreed && plan.changes.length > 0) await write(process.stdout, 'Done.\n\n');
  for (const transcripts of isAgreed ? plan.transcripts : []) {
    if (!(await report(transcripts, look))) return false;
  }
  await write(process.stdout, `${renderAdvice(found, look)}\n`);
  return true;
}

/** Prints what fails in the transcripts of one agent. Returns false if Ctrl-C ended the reading. */
async function report({ folder }: Transcripts, look: Look): Promise<boolean> {
  const nowMs = Date.now();
  const survey = new Survey({ nowMs });
  const reading = await readAll([folder], survey, nowMs);
  if (survey.isEmpty) return !reading.interrupted;
  const document = makeReport(survey, reading, { limit: FIRST_PATTERNS, sinceMs: undefined });
  await write(process.stdout, `${render(document, look)}\n`);
  return !reading.interrupted;
}

function documentOf(plan: Plan, found: Found, { project, store }: Places, done: boolean): object {
  const { changes, transcripts, blocked, notes } = plan;
  return {
    format: 'rsi-init/1',
    done,
    project,
    store,
    found: {
      agents: found.agents.map(({ name, because }) => ({ name, because })),
      libraries: found.sdks.map(({ name, version, sdk }) => ({ name, version, import: sdk.imports, use: sdk.use })),
      ruleFiles: found.ruleFiles,
      manifest: found.manifest,
    },
    plan: changes.map((change) => ({ action: verbOf(change), file: relative(project, change.path), why: change.why })),
    transcripts,
    alreadyDone: plan.done,
    blocked,
    notes,
  };
}

async function undo(places: Places, json: true | undefined): Promise<ExitCode> {
  // The record lies in the folder that init was run with, which the configuration may have changed since.
  const stores = [places.store, join(places.project, DEFAULT_STORE)];
  const store = stores.find((each) => existsSync(recordPath(each))) ?? places.store;
  const undone = undoChanges({ project: places.project, store });
  await print(
    { document: { format: 'rsi-init-undo/1', ...undone }, text: renderUndone(undone, lookAt(process.stdout)) },
    json,
  );
  return undone.refused.length > 0 ? EXIT.attention : EXIT.done;
}
