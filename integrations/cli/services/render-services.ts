import { duration, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { labelled } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import type { ServiceStatus } from './service-status.js';
import { endWords, type Started } from './start.js';
import type { Stopped } from './stop.js';

const MARKS: Readonly<
  Record<ServiceStatus['state'], readonly [mark: string, color: 'green' | 'red' | 'yellow' | 'dim']>
> = {
  ready: ['✓', 'green'],
  running: ['✓', 'green'],
  starting: ['…', 'yellow'],
  'left-behind': ['✗', 'red'],
  ended: ['✗', 'red'],
  'never-started': ['·', 'dim'],
};

/** Renders the states of services, each with what a person may need next. */
export function renderStatus(services: readonly ServiceStatus[], nowMs: number, look: Look): string {
  const { paint } = look;
  const lines = services.flatMap((service) => {
    const { name, state, pids, startedMs } = service;
    const [mark, color] = isStopped(service) ? MARKS['never-started'] : MARKS[state];
    const runs = pids.length > 0 && startedMs !== undefined ? ` for ${shortSpan(nowMs - startedMs)}` : '';
    return [
      `${paint(color, mark)} ${paint('bold', plain(name))}  ${isStopped(service) ? 'stopped' : WORDS[state]}${runs}`,
      ...factsOf(service, look).flatMap(([label, text]) =>
        labelled(label, plain(text), look, { indent: 2, column: 8 }),
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function isStopped({ state, end }: ServiceStatus): boolean {
  return state === 'ended' && end?.asked === true;
}

/** Returns labels and texts of what is known about a service. */
function factsOf(service: ServiceStatus, look: Look): readonly (readonly [label: string, text: string])[] {
  const { name, state, pid, pids, health, end, log, gpuMiB, isUnkept } = service;
  const hasEnded = state === 'ended' && !isStopped(service);
  const facts: readonly (readonly [string, string | false | undefined])[] = [
    ['process', pids.map((each) => (each === pid ? `${each} (main)` : String(each))).join(', ')],
    ['health', health && `${health.url} ${health.words}`],
    ['GPU', gpuMiB !== undefined && `${whole(gpuMiB)} MiB`],
    ['end', hasEnded && (end ? endWords(end) : 'unknown, because its keeper was killed too')],
    ['next', state === 'left-behind' && look.next(`services stop ${name}`)],
    ['note', isUnkept && 'its keeper was killed, so its log is not rotated until it is restarted'],
    ['log', log.bytes > 0 && `${log.path} (${whole(Math.ceil(log.bytes / 1_000))} kB)`],
  ];
  return facts.flatMap(([label, text]) => (text ? [[label, text] as const] : []));
}

/** Formats a period in seconds while minutes say little. */
function shortSpan(ms: number): string {
  return duration(ms);
}

const WORDS: Readonly<Record<ServiceStatus['state'], string>> = {
  ready: 'ready',
  running: 'running',
  starting: 'not ready yet',
  'left-behind': 'ended, but left processes behind',
  ended: 'ended',
  'never-started': 'not started',
};

export function startedWords(name: string, started: Started): string {
  switch (started.kind) {
    case 'already-running':
      return `${name} runs already, as process ${started.pid}`;
    case 'ready':
      return `${name} is ready after ${duration(started.waitedMs)}, as process ${started.pid}`;
    case 'running':
      return `${name} runs as process ${started.pid}; it may not be ready yet`;
    case 'interrupted':
      return `${name} continues to start: "services status" shows it, "services stop ${name}" ends it`;
    case 'refused':
    case 'failed':
      return `${name} was not started: ${started.reason}`;
    default:
      return started satisfies never;
  }
}

export function stoppedWords(name: string, stopped: Stopped): string {
  switch (stopped.kind) {
    case 'not-running':
      return `${name} does not run, so there is nothing to stop`;
    case 'stopped': {
      const count = stopped.pids.length === 1 ? '1 process' : `${stopped.pids.length} processes`;
      return `${name} is stopped after ${duration(stopped.waitedMs)} (${count}${stopped.isKilled ? ', by SIGKILL' : ''})`;
    }
    case 'failed':
      return `${name} is not stopped: these processes do not end: ${stopped.pids.join(', ')}`;
    default:
      return stopped satisfies never;
  }
}
