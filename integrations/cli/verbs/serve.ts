import { unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DEFAULT_PORT, serve } from '../../sources/fastify/index.js';
import { renderStarted } from '../serve/print.js';
import { mustBeSafe, readSecrets, SECRET_VARIABLES, writeSecret } from '../serve/secrets.js';
import { DEFAULT_STORE } from '../store/next-command.js';
import { makeStore, reportingErrors } from '../store/open-loop.js';
import { interruption } from '../terminal/interrupt.js';
import { whole } from '../terminal/numbers.js';
import { paintFor } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly cycle: number;
  readonly askFirst?: true;
}

/** The verb `rsi serve`: serves a loop to agents in any language, over HTTP. */
export const serveVerb: Verb = {
  register(program, done) {
    program
      .command('serve')
      .summary('a loop over HTTP, for agents in any language')
      .description(
        `Opens a loop on a folder and serves it over HTTP. On an address that others can reach, ${SECRET_VARIABLES.token} or ${SECRET_VARIABLES.hmacSecret} has to be set in the environment (at least 16 characters); with ${SECRET_VARIABLES.decisionToken} only whoever has that token decides on fixes.`,
      )
      .addHelpText(
        'after',
        examples(
          ['serve', 'on http://127.0.0.1:7747'],
          ['serve --port 0 --ask-first', 'a free port; tries nothing unasked'],
        ),
      )
      .option('--store <folder>', 'the folder of the loop; made when there is none', DEFAULT_STORE)
      .option(
        '--port <number>',
        'the port to listen on; 0 takes one that is free',
        wholeNumber(0, 65_535),
        DEFAULT_PORT,
      )
      .option('--host <address>', 'the address to listen on', '127.0.0.1')
      .option('--allow-host <name...>', 'a name the server is reached by')
      .option('--allow-origin <origin...>', 'a web page that may send')
      .option('--cycle <seconds>', 'how often the loop looks at what came in', wholeNumber(1, 86_400), 60)
      .option('--ask-first', 'try no fix without an approval, however safe')
      .action(async (options: Options) => {
        done(await reportingErrors(() => run(options)));
      });
  },
};

async function run({
  store,
  port,
  host,
  allowHost = [],
  allowOrigin = [],
  cycle,
  askFirst,
}: Options): Promise<ExitCode> {
  const secrets = readSecrets(process.env);
  mustBeSafe(host, secrets);
  await makeStore(store);
  const loop = new RSILoop({ store: new FileStore(store), ...(askFirst && { autoFix: false }) });
  loop.on('problem', ({ where, message }) => {
    // A host declares custom settings in its code, so they are unknown here.
    if (where !== 'policy') void write(process.stderr, `${plain(`${where}: ${message}`)}\n`);
  });
  loop.on('rebuild-progressed', ({ records, of }) => {
    void write(process.stderr, `${whole(records)} of ${whole(of)} stored records have been read again\n`);
  });
  try {
    await loop.ready();
    // A server that loses its records when it ends is not what the user asked for.
    if (!(loop.store instanceof FileStore)) throw new LoopError('store-failed', `${store} cannot be read`);
    const ending = interruption();
    const server = await serve({ loop, port, host, allowedHosts: allowHost, allowedOrigins: allowOrigin, ...secrets });
    loop.start({ everyMs: cycle * 1_000 });
    const tokenVariable = secrets.token === undefined ? {} : { tokenVariable: SECRET_VARIABLES.token };
    const decisionFile = server.decisionToken === undefined ? undefined : resolve(store, 'decision-token');
    if (decisionFile !== undefined) await writeSecret(decisionFile, server.decisionToken ?? '');
    const started = {
      ...{ url: server.url, folder: resolve(store), cycleSeconds: cycle },
      ...tokenVariable,
      ...(decisionFile !== undefined && { decisionFile }),
    };
    await write(process.stdout, renderStarted(started, paintFor(process.stdout)));
    await ending;
    await server.close();
    if (decisionFile !== undefined) await unlink(decisionFile).catch(() => undefined);
    return EXIT.done;
  } finally {
    await loop.close();
  }
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}
