import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { startDemo } from '../../dashboard/demo/start-demo.js';
import { mountViews } from '../../dashboard/server/mount.js';
import type { ViewSource } from '../../dashboard/views.js';
import { listen } from '../../http/listen.js';
import { type LoopOptions, loopOptions } from '../config/loop-options.js';
import { FollowedFolder } from '../dashboard/followed-folder.js';
import { findTranscripts } from '../dashboard/found-transcripts.js';
import { openBrowser } from '../dashboard/open-browser.js';
import { mustBeSafe, readSecrets, SECRET_VARIABLES } from '../serve/secrets.js';
import { isDatabase, shownStore } from '../store/database.js';
import { openOrCreate } from '../store/open-store.js';
import { interruption } from '../terminal/interrupt.js';
import { paintFor } from '../terminal/look.js';
import { notice, write } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { numberOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  /** False with `--no-open`. */
  readonly open: boolean;
  readonly bench: string;
  readonly runs: string;
  readonly skills: string;
  readonly demo?: true;
}

const DEFAULT_PORT = 7748;
const MAX_CONNECTIONS = 500;

/** The verb `rsi dashboard`: shows the folder of a loop as a page, beside the agents that write it. */
export const dashboardVerb = verb<Options>({
  description: `Serves a page with what fails, what is being tried and what waits for you, and opens it in a browser. Reads the folder beside the running agent; only your decisions are written. On an address that others can reach, ${SECRET_VARIABLES.token} has to be set in the environment (at least 16 characters); people sign in with it.`,
  examples: [
    ['dashboard', 'on http://127.0.0.1:7748'],
    ['dashboard --demo', 'a week of a simulated agent'],
    ['dashboard --port 0 --no-open', 'a free port; open the printed link yourself'],
  ],
  options: [
    storeOption(),
    new Option('--bench <folder>', 'results of rsi bench and rsi improve, shown if they are there').default(
      './rsi_bench',
    ),
    new Option('--runs <folder>', 'runs of orchestrate(), shown if they are there').default('./rsi_runs'),
    new Option('--skills <folder>', 'skills of an agent, shown if they are there').default('./.agents/skills'),
    numberOption('--port <number>', 'the port to listen on; 0 uses a free one', { min: 0, max: 65_535 }).default(
      DEFAULT_PORT,
    ),
    new Option('--host <address>', 'the address to listen on').default('127.0.0.1'),
    new Option('--allow-host <name...>', 'a name the server is reached by, besides those of this machine'),
    new Option('--demo', 'show a week of a simulated agent in place of a folder'),
    new Option('--no-open', 'print the link, but do not open a browser'),
  ],
  run: async ({ store, bench, runs, skills, port, host, allowHost = [], open, demo }, _argument, config) => {
    const secrets = readSecrets(process.env);
    const { token, decisionToken } = secrets;
    mustBeSafe(host, secrets, ['token']);
    const { source, name, close } = demo
      ? await openDemo()
      : await openFolder(store, { ...loopOptions(await config()), bench, runs, skills });
    const ending = interruption();
    const secret = { ...(token !== undefined && { token }), ...(decisionToken !== undefined && { decisionToken }) };
    const dashboard = mountViews(
      source,
      { ...secret, allowedHosts: allowHost },
      {
        onProblem: (message) => void notice(message),
        linkAdvice: 'open the link that rsi dashboard printed',
        isHarmless: demo === true,
      },
    );
    try {
      const server = await listen((request, response) => void dashboard.handle(request, response), {
        ...{ host, port, portName: '--port', connections: MAX_CONNECTIONS },
        // Streams of events do not end by themselves.
        closeMs: 0,
      });
      const link = `${server.url}${dashboard.openPath}`;
      const paint = paintFor(process.stdout);
      await write(process.stdout, `dashboard of ${plain(name)}: ${paint('bold', link)}\nCtrl-C ends it\n`);
      if (open && process.stdout.isTTY) openBrowser(link);
      const exitCode = await ending;
      await server.close();
      return exitCode;
    } finally {
      await dashboard.close();
      await close();
    }
  },
});

/** Data to show. `close` ends what the source itself does not. */
interface Shown {
  readonly source: ViewSource;
  readonly name: string;
  readonly close: () => Promise<void>;
}

async function openFolder(
  store: string,
  options: LoopOptions & { readonly bench: string; readonly runs: string; readonly skills: string },
): Promise<Shown> {
  const transcripts = await findTranscripts();
  if (transcripts.length > 0) await createMissing(store);
  return {
    source: await FollowedFolder.open(store, { ...options, transcripts }),
    name: isDatabase(store) ? shownStore(store) : resolve(store),
    close: async () => {},
  };
}

/** Creates the folder if it is missing, so that the page can offer to import transcripts. Others are left as they are. */
async function createMissing(folder: string): Promise<void> {
  if (isDatabase(folder) || existsSync(folder)) return;
  const store = await openOrCreate(folder);
  try {
    // The first write marks the folder as a store.
    await (await store.coordination.lease('import'))?.release();
  } finally {
    await store.close();
  }
  await notice(`created ${folder}: the page offers to import the transcripts of this machine`);
}

async function openDemo(): Promise<Shown> {
  const { data, close } = await startDemo();
  return { source: data, name: 'a simulated agent', close };
}
