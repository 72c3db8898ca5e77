import { unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { LoopError, RSILoop, type Source } from 'rsi-loop';
import { whole } from '../../reports/words/numbers.js';
import { DEFAULT_PORT, serve } from '../../sources/http/index.js';
import { loopOptions } from '../config/loop-options.js';
import { modelOption } from '../models/configured-model.js';
import { attachAlerts, notifyOptions } from '../notify/from-config.js';
import { loadRedis, redisOption } from '../redis.js';
import { renderStarted } from '../serve/print.js';
import { mustBeSafe, readSecrets, SECRET_VARIABLES, writeSecret } from '../serve/secrets.js';
import { addCompanionKinds } from '../store/companion-kinds.js';
import { isDatabase, shownStore } from '../store/database.js';
import { onProblem } from '../store/open-loop.js';
import { localFolder, openOrCreate } from '../store/open-store.js';
import { workspaceOf } from '../store/workspace.js';
import { interruption } from '../terminal/interrupt.js';
import { paintFor } from '../terminal/look.js';
import { notice, write } from '../terminal/output.js';
import { numberOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly cycle: number;
  readonly askFirst?: true;
  readonly dashboard?: true;
  readonly redis?: string;
  readonly stream: string;
}

async function streamSource(url: string, stream: string): Promise<Source<RSILoop>> {
  // The source would report a missing driver and try again. A server that cannot read its stream must not start.
  const { redisSource } = await loadRedis();
  return redisSource({ url, stream });
}

/** The verb `rsi serve`: serves a loop to agents in any language, over HTTP. */
export const serveVerb = verb<Options>({
  description: `Opens a loop on a folder and serves it over HTTP. On an address that others can reach, ${SECRET_VARIABLES.token} or ${SECRET_VARIABLES.hmacSecret} has to be set in the environment (at least 16 characters). With ${SECRET_VARIABLES.decisionToken}, only callers with that token decide on fixes.`,
  examples: [
    ['serve', 'on http://127.0.0.1:7747'],
    ['serve --port 0 --ask-first', 'a free port; no trial without approval'],
  ],
  options: [
    storeOption('the folder of the loop; created if it is missing'),
    numberOption('--port <number>', 'the port to listen on; 0 uses a free one', { min: 0, max: 65_535 }).default(
      DEFAULT_PORT,
    ),
    new Option('--host <address>', 'the address to listen on').default('127.0.0.1'),
    new Option('--allow-host <name...>', 'a name the server is reached by'),
    new Option('--allow-origin <origin...>', 'a web page that may send'),
    numberOption('--cycle <seconds>', 'how often the loop reads new records', { min: 1, max: 86_400 }).default(60),
    new Option('--ask-first', 'try no fix without an approval, however safe'),
    new Option('--dashboard', 'also serve the dashboard, under /dashboard/'),
    redisOption('also read outcomes from a stream of Redis or Valkey; needs the package ioredis'),
    new Option('--stream <key>', 'the key of that stream').default('rsi:outcomes'),
  ],
  run: async (
    { store, port, host, allowHost = [], allowOrigin = [], cycle, askFirst, dashboard = false, redis, stream },
    _argument,
    config,
  ) => {
    const configuration = await config();
    const alerts = await notifyOptions(configuration, process.env);
    const secrets = readSecrets(process.env);
    mustBeSafe(host, secrets, ['token', 'hmacSecret']);
    const source = redis === undefined ? undefined : await streamSource(redis, stream);
    const local = await localFolder(store);
    const loop = new RSILoop({
      ...loopOptions(configuration),
      ...(await modelOption(configuration, local)),
      ...workspaceOf(configuration.values.loop?.workspace),
      store: await openOrCreate(store),
      ...(askFirst && { autoFix: false }),
    });
    onProblem(loop, (message, where) => void notice(`${where}: ${message}`));
    loop.on('rebuild-progressed', ({ records, of }) => {
      void notice(`${whole(records)} of ${whole(of)} stored records have been read again`);
    });
    try {
      await loop.ready();
      await addCompanionKinds(loop);
      // A server that loses its records when it ends is not what the user asked for.
      if (loop.hasLostStore) throw new LoopError('store-failed', `${shownStore(store)} cannot be read`);
      const ending = interruption();
      const options = { allowedHosts: allowHost, allowedOrigins: allowOrigin, dashboard, ...secrets };
      const server = await serve({ loop, port, host, ...options });
      loop.start({ everyMs: cycle * 1_000 });
      if (source !== undefined) loop.sources.attach(source);
      await attachAlerts(loop, alerts);
      const { url, decisionToken } = server;
      const decisionFile = decisionToken === undefined ? undefined : resolve(local, 'decision-token');
      if (decisionFile !== undefined) await writeSecret(decisionFile, decisionToken ?? '');
      const started = {
        ...{ url, folder: isDatabase(store) ? shownStore(store) : resolve(store), cycleSeconds: cycle, dashboard },
        ...(secrets.token !== undefined && { tokenVariable: SECRET_VARIABLES.token }),
        ...(decisionFile !== undefined && { decisionFile }),
        ...(source !== undefined && { stream }),
      };
      await write(process.stdout, renderStarted(started, paintFor(process.stdout)));
      const exitCode = await ending;
      await server.close();
      if (decisionFile !== undefined) await unlink(decisionFile).catch(() => undefined);
      return exitCode;
    } finally {
      await loop.close();
    }
  },
});
