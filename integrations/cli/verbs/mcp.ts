import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { GRANTED, Grants } from '../../mcp/grants.js';
import { serveLoop } from '../../mcp/serve-loop.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT, type ExitCode } from '../exit.js';
import { findFix } from '../fixes/find-fix.js';
import { type LoopPlace, loopDecisions, loopDocuments } from '../mcp/loop-tools.js';
import { requireOwnData } from '../store/check-folder.js';
import { withLoop } from '../store/open-loop.js';
import { userName } from '../store/user-name.js';
import { interruption } from '../terminal/interrupt.js';
import { nextCommand } from '../terminal/look.js';
import { notice, print } from '../terminal/output.js';
import { jsonOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly runs: string;
  readonly by?: string;
  readonly json?: true;
}

/** The verb `rsi mcp`: lets an agent read the loop over the Model Context Protocol. */
export const mcp = verb<Options, readonly string[]>({
  description:
    'Serves the loop to a coding agent over the Model Context Protocol, on standard input and output, until the agent leaves. Tools: status, patterns, session, explain, review, prove and bench read; propose proposes a version of a text, which waits for a person; approve, reject and rollback need a code. "rsi mcp grant approve <id>" prints that code: it allows this one decision, once, for an hour. Recorded texts are cut and marked as data.',
  examples: [
    ['mcp', 'the command for the settings of an agent'],
    ['mcp grant approve 1371', 'a code that lets an agent approve this fix, once'],
  ],
  options: [
    storeOption('the folder of the loop'),
    new Option('--runs <folder>', 'the folder with the records of benchmarks').default('./rsi_bench'),
    new Option('--by <name>', 'who grants a decision (default: the user of the system)'),
    jsonOption(),
  ],
  run: async ({ store, runs, by, json }, words, config) => {
    requireOwnData(resolve(store));
    const place: LoopPlace = { store, runs, options: loopOptions(await config()) };
    if (words.length > 0) return grant(words, place, by ?? userName(), json);
    return serve(place);
  },
});

async function serve(place: LoopPlace): Promise<ExitCode> {
  const controller = new AbortController();
  const ending = interruption();
  const grants = new Grants(resolve(place.store));
  await notice('serving the loop over MCP on standard input and output; Ctrl-C ends it');
  const served = serveLoop({
    documents: loopDocuments(place),
    decisions: loopDecisions(place, grants, randomUUID().slice(0, 8)),
    ...{ input: process.stdin, output: process.stdout, signal: controller.signal },
  });
  const code = await Promise.race([ending, served.then(() => EXIT.done)]);
  controller.abort();
  await served;
  return code;
}

async function grant(
  words: readonly string[],
  place: LoopPlace,
  by: string,
  json: true | undefined,
): Promise<ExitCode> {
  const [action, wanted, id, ...more] = words;
  const verb = GRANTED.find((one) => one === wanted);
  if (action !== 'grant' || verb === undefined || id === undefined || more.length > 0)
    throw new LoopError(
      'invalid-input',
      `rsi mcp ${words.join(' ')} is not known: use "rsi mcp grant ${GRANTED.join('|')} <id>"`,
    );
  const fix = await withLoop(
    place.store,
    'read',
    async (loop) => findFix(loop, id, nextCommand(place.store)),
    place.options,
  );
  const nowMs = Date.now();
  const code = new Grants(resolve(place.store)).give({ verb, fixId: fix.id, by }, nowMs);
  const text = `${code}\nallows an agent to ${verb} ${fix.id}, once, within an hour, in the name of ${by}\n`;
  await print({ document: { format: 'rsi-grant/1', verb, fixId: fix.id, by, code }, text }, json);
  return EXIT.done;
}
