import { join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import type { Configuration } from '../config/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { keep } from '../services/keeper.js';
import { composeFile, systemdUnits } from '../services/print.js';
import { recordedNames } from '../services/record.js';
import { renderStatus, startedWords, stoppedWords } from '../services/render-services.js';
import { READY_MADE, type Service, serviceOf } from '../services/service.js';
import { statusOf } from '../services/service-status.js';
import { showLog, shownEnd } from '../services/show-log.js';
import { mustHaveGroups, type Started, startService } from '../services/start.js';
import { type Stopped, stopService } from '../services/stop.js';
import { makeStore, requireOwnData } from '../store/check-folder.js';
import { isDatabase } from '../store/database.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { DEFAULT_STORE, lookAt } from '../terminal/look.js';
import { notice, print, prose, write } from '../terminal/output.js';
import { jsonOption, numberOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly wait: boolean;
  readonly lines: number;
  readonly follow?: true;
  readonly json?: true;
}

/** Names, options and configuration of one action. */
interface Asked {
  readonly options: Options;
  /** Names that were typed. */
  readonly typed: readonly string[];
  /** Names in the configuration. */
  readonly configured: readonly string[];
  /** Folder of records and logs. */
  readonly folder: string;
  /** Command line of this program. */
  readonly rsi: readonly string[];
  service(name: string): Service;
}

/** Word that `rsi services start` passes to the process that runs a service. */
const KEEP = 'keep';

const ACTIONS: Readonly<Record<string, (asked: Asked) => Promise<ExitCode>>> = {
  start,
  stop,
  restart,
  status,
  logs: async ({ options, typed, folder, service }) => {
    const [name, ...more] = typed;
    if (name !== undefined && more.length === 0) {
      // A name is part of a path, so only names that are known get there.
      const known = await recordedNames(folder);
      return showLog(known.includes(name) ? name : service(name).name, folder, options);
    }
    throw new LoopError('invalid-input', 'services logs takes one name: give it, such as "services logs vllm"');
  },
  print: printFile,
};

/** The verb `rsi services`: runs model servers and other processes that an agent needs. */
export const services = verb<Options, readonly string[]>({
  description:
    'Starts and stops what services in rsi.config lists: each a program with its arguments, without a shell. It also knows ollama and hub (rsi serve). Starting waits until the health address answers. Stopping ends what rsi started, with all child processes, and nothing else. Without a name, an action is for all configured services. Exit code 1 means that one was not started, is not stopped, or ended without being asked.',
  examples: [
    ['services start vllm', 'start it, and wait until it is ready'],
    ['services', 'what runs, since when, and how it is'],
    ['services logs vllm --follow', 'its output, until Ctrl-C'],
    ['services stop', 'stop all'],
    ['services print systemd', 'the same for systemd, or compose'],
  ],
  options: [
    storeOption('the folder of the loop; records and logs are in its folder services'),
    new Option('--no-wait', 'start: do not wait until it is ready'),
    numberOption('--lines <count>', 'logs: how many lines', { min: 1, max: 10_000 }).default(50),
    new Option('--follow', 'logs: print new lines until Ctrl-C'),
    jsonOption(),
  ],
  run: async (options, [action = 'status', ...typed], config) => {
    mustHaveGroups(action);
    if (action === KEEP) return keep(await textOf(process.stdin)).then(() => EXIT.done);
    // Its records say which processes are ended.
    requireOwnData(options.store);
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (run) return run(askedFor(options, typed, await config()));
    const actions = Object.keys(ACTIONS).join(', ');
    throw new LoopError('invalid-input', `services cannot ${action}: give one of ${actions}`);
  },
});

function askedFor(options: Options, typed: readonly string[], { values }: Configuration): Asked {
  const configured = values.services ?? {};
  const rsi = [process.execPath, ...process.execArgv, resolve(process.argv[1] ?? '')];
  return {
    options,
    typed,
    configured: Object.keys(configured),
    // Logs and states are of this machine.
    folder: resolve(join(isDatabase(options.store) ? DEFAULT_STORE : options.store, 'services')),
    rsi,
    service: (name) => serviceOf(name, configured, { rsi, folder: process.cwd() }),
  };
}

/** Returns the names that were typed, or else all that are configured. */
function chosen({ typed, configured }: Asked): readonly string[] {
  const names = typed.length > 0 ? [...new Set(typed)] : configured;
  if (names.length > 0) return names;
  throw new LoopError(
    'invalid-input',
    `no services are configured: name one of ${READY_MADE.join(', ')}, or add services to rsi.config`,
  );
}

type StartedService = Started & { readonly name: string };
type StoppedService = Stopped & { readonly name: string };

async function start(asked: Asked): Promise<ExitCode> {
  const { services: results, isInterrupted } = await startAll(asked);
  const document = { format: 'rsi-services-start/1', services: results };
  await print({ document, text: startText(results) }, asked.options.json);
  return startCode(results, isInterrupted);
}

async function stop(asked: Asked): Promise<ExitCode> {
  const results = await stopAll(asked);
  await print(
    { document: { format: 'rsi-services-stop/1', services: results }, text: stopText(results, asked) },
    asked.options.json,
  );
  return results.some(({ kind }) => kind === 'failed') ? EXIT.attention : EXIT.done;
}

async function restart(asked: Asked): Promise<ExitCode> {
  const named = { ...asked, typed: chosen(asked).map((name) => asked.service(name).name) };
  const stopped = await stopAll(named);
  const isFree = stopped.every(({ kind }) => kind !== 'failed');
  const { services: started, isInterrupted } = isFree ? await startAll(named) : { services: [], isInterrupted: false };
  const document = { format: 'rsi-services-restart/1', stopped, started };
  await print({ document, text: stopText(stopped, named) + startText(started) }, asked.options.json);
  return isFree ? startCode(started, isInterrupted) : EXIT.attention;
}

async function startAll(asked: Asked) {
  const { options, folder, rsi } = asked;
  const all = chosen(asked).map(asked.service);
  await makeStore(options.store);
  const { signal, release } = onInterrupt();
  const keeper = [...rsi, 'services', KEEP];
  const services: StartedService[] = [];
  for (const service of all) {
    if (signal.aborted) break;
    if (!options.json && options.wait) await notice(`starting ${service.name} ...`);
    const started = await startService(service, { folder, keeper, signal, wait: options.wait });
    services.push({ name: service.name, ...started });
    if (started.kind === 'failed' && !options.json)
      await write(process.stdout, await shownEnd(service.name, folder, 10));
  }
  release();
  return { services, isInterrupted: signal.aborted };
}

async function stopAll({ typed, folder, service }: Asked): Promise<readonly StoppedService[]> {
  const known = await recordedNames(folder);
  // A service that runs can be stopped after it was removed from the configuration.
  const names = typed.length > 0 ? typed.map((name) => (known.includes(name) ? name : service(name).name)) : known;
  const results: StoppedService[] = [];
  for (const name of names) results.push({ name, ...(await stopService(name, folder)) });
  return results;
}

function startText(results: readonly StartedService[]): string {
  return results.map((each) => prose(startedWords(each.name, each))).join('');
}

function stopText(results: readonly StoppedService[], { typed }: Asked): string {
  const told = typed.length > 0 ? results : results.filter(({ kind }) => kind !== 'not-running');
  return told.map((each) => prose(stoppedWords(each.name, each))).join('') || 'no service runs\n';
}

function startCode(results: readonly StartedService[], isInterrupted: boolean): ExitCode {
  if (isInterrupted) return EXIT.interrupted;
  return results.some(({ kind }) => kind === 'failed' || kind === 'refused') ? EXIT.attention : EXIT.done;
}

async function status(asked: Asked): Promise<ExitCode> {
  const { typed, configured, folder, options } = asked;
  const known = await recordedNames(folder);
  const names = typed.length > 0 ? typed : [...new Set([...configured, ...known])];
  // A name that is neither configured nor started is a mistake.
  for (const name of names) if (!known.includes(name)) asked.service(name);
  const found = await Promise.all(names.map((name) => statusOf(name, folder)));
  const none = prose(`no services are configured or started: ${lookAt(process.stdout).next('services --help')}`);
  const text = found.length > 0 ? renderStatus(found, Date.now(), lookAt(process.stdout, options.store)) : none;
  await print({ document: { format: 'rsi-services/1', services: found }, text }, options.json);
  const isBad = found.some(({ state, end }) => state === 'left-behind' || (state === 'ended' && !end?.asked));
  return isBad ? EXIT.attention : EXIT.done;
}

async function printFile(asked: Asked): Promise<ExitCode> {
  const [kind, ...typed] = asked.typed;
  if (kind !== 'systemd' && kind !== 'compose') {
    throw new LoopError('invalid-input', `services print takes systemd or compose, not ${kind ?? 'nothing'}`);
  }
  const all = chosen({ ...asked, typed }).map(asked.service);
  const text = kind === 'systemd' ? systemdUnits(all) : composeFile(all, asked.rsi);
  await print({ document: { format: 'rsi-services-print/1', kind, text }, text }, asked.options.json);
  return EXIT.done;
}
