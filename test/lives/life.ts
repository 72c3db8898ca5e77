import { type Fix, type LoopEvent, type OpenTask, type Policy, RSILoop } from 'rsi-loop';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import { MemoryWorkspace } from '../../src/defaults/memory-workspace.js';
import type { Components } from '../../src/judge/components.js';
import { judgedParts } from '../../src/judge/judged-parts.js';
import { snapshotOf } from '../../src/judge/snapshot.js';
import { seededRandom } from '../../src/lib/random.js';
import { DiskFolder } from './disk-folder.js';
import { LifeClock } from './life-clock.js';
import { type LifeFolder, type LifeStore, SharedFolder } from './shared-store.js';

/** Failures of a task, and which changes do something about it. */
interface Trouble {
  readonly task: string;
  readonly error?: unknown;
  readonly issues?: readonly string[];
  /** Whether a fix for it is in the settings or the rules that the task runs under. */
  readonly isTried: (policy: Policy, advice: readonly string[]) => boolean;
}

export const TROUBLES: readonly Trouble[] = [
  {
    task: 'api_call',
    error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
    isTried: (policy) => policy['retries.network'] > 0,
  },
  {
    task: 'translate',
    error: new Error('Request timed out after 30 s'),
    isTried: (policy) => policy['retries.timeout'] > 0 || policy['timeout.attemptMs'] !== null,
  },
  {
    task: 'search',
    error: Object.assign(new Error('429 Too Many Requests'), { status: 429, retryAfterMs: 2_000 }),
    isTried: (policy) => policy['limit.resetMs'] > 0 || policy['retries.rate_limit'] > 0,
  },
  { task: 'report', issues: ['incomplete_task'], isTried: (_, advice) => advice.length > 0 },
  {
    task: 'fetch_page',
    error: Object.assign(new Error('401 the key was refused'), { status: 401 }),
    isTried: (policy, advice) => policy['backoff.baseMs'] !== 500 || advice.length > 0,
  },
];

/** How bad things are with a task now. */
export interface Weather {
  /** Share of its tasks that fail without a fix. */
  readonly rate: number;
  /** Factor of a fix on that rate: below 1 it helps, above it does harm. */
  readonly effect: number;
  /** Time that a fix adds. */
  readonly extraMs: number;
}

/** One process of a life: a loop over the shared folder. */
interface Process {
  readonly loop: RSILoop;
  readonly store: LifeStore;
  /** Tasks that were begun and have not ended. */
  readonly open: { readonly task: OpenTask; readonly trouble: Trouble }[];
  isStopped: boolean;
}

export interface Work {
  readonly trouble: number;
  readonly count: number;
  readonly everyMs: number;
  /** Tasks in a session; 0 for tasks without one. */
  readonly perSession: number;
  /** Whether sessions say that they end. */
  readonly endsSessions: boolean;
  readonly model: string | undefined;
}

const START_MS = Date.UTC(2026, 0, 5);
const FILES = { 'SOUL.md': '# Soul\n', 'AGENTS.md': '# Agents\n', 'TOOLS.md': undefined };

/** Result of a life: its steps, its counts, and which promises it broke. */
export interface LifeReport {
  cycles: number;
  compared: number;
  /** Steps of the loop that were not legal any more. */
  dropped: number;
  /** Entries of the ledger by kind and, of moves, by where they lead. */
  readonly steps: Map<string, number>;
  readonly broken: string[];
}

/** An agent with its loops, lived through by random steps. Its luck is seeded: the same steps give the same life. */
export class Life {
  readonly clock = new LifeClock(START_MS);
  readonly report: LifeReport = { cycles: 0, compared: 0, dropped: 0, steps: new Map(), broken: [] };
  readonly #folder: LifeFolder;
  readonly #workspace = new MemoryWorkspace(FILES);
  readonly #isCompared: boolean;
  readonly #luck: () => number;
  readonly #processes: (Process | undefined)[] = [];
  readonly #weather: Weather[] = TROUBLES.map(() => ({ rate: 0.3, effect: 0.2, extraMs: 0 }));
  #fromLogs: { readonly decisions: number; readonly components: Components } | undefined;
  #started = 0;
  #sessions = 0;

  constructor(seed: number, { isCompared, onDisk }: { readonly isCompared: boolean; readonly onDisk: boolean }) {
    this.#isCompared = isCompared;
    this.#folder = onDisk ? new DiskFolder() : new SharedFolder();
    this.#luck = seededRandom(seed);
  }

  /** Starts a process. With `isHeld` its operator forbids trials by `RSI_FREEZE`, of which no log knows. */
  async start(place: number, isHeld = false): Promise<void> {
    if (isHeld) process.env.RSI_FREEZE = '1';
    try {
      this.#processes[place] = await this.#open(this.#folder, `p${this.#started++}`);
    } finally {
      delete process.env.RSI_FREEZE;
    }
  }

  setWeather(trouble: number, weather: Weather): void {
    this.#weather[trouble] = weather;
  }

  /** Lets tasks begin and end one after another. */
  async work(place: number, { trouble: index, count, everyMs, perSession, endsSessions, model }: Work): Promise<void> {
    const process = this.#living(place);
    const trouble = TROUBLES[index];
    if (!process || !trouble) return;
    for (let number = 0; number < count; number++) {
      const isLast = perSession > 0 && number % perSession === perSession - 1;
      if (perSession > 0 && number % perSession === 0) this.#sessions++;
      const session = perSession > 0 ? `s${this.#sessions}` : undefined;
      const task = process.loop.begin(trouble.task, { ...(session && { session }), ...(model && { model }) });
      this.pass(everyMs / 2);
      this.#end(task, index, isLast && endsSessions);
      this.pass(everyMs / 2);
    }
    await settled();
  }

  /** Begins tasks that go on for a while. */
  begin(place: number, index: number, count: number): void {
    const process = this.#living(place);
    const trouble = TROUBLES[index];
    if (!process || !trouble) return;
    for (let number = 0; number < count; number++)
      process.open.push({ task: process.loop.begin(trouble.task), trouble });
  }

  /** Ends some of them, the newest first; the others never end. */
  end(place: number, count: number): void {
    const process = this.#living(place);
    for (let number = 0; process && number < count; number++) {
      const open = process.open.pop();
      if (open) this.#end(open.task, TROUBLES.indexOf(open.trouble), false);
    }
  }

  /** Records what no loop began: late, early or repeated as `record` may be told. */
  record(place: number, index: number, count: number, shiftMs: number, isRepeated: boolean): void {
    const process = this.#living(place);
    const trouble = TROUBLES[index];
    if (!process || !trouble) return;
    const { rate } = this.#weather[index] ?? { rate: 0 };
    for (let number = 0; number < count; number++) {
      const failed = this.#luck() < rate;
      process.loop.observer.record({
        task: trouble.task,
        success: !failed,
        atMs: this.clock.now() + shiftMs,
        session: `s${this.#sessions}`,
        ...(isRepeated && { id: `repeated-${number}` }),
        ...(failed && { error: trouble.error, issues: trouble.issues }),
      });
      this.pass(7);
    }
  }

  async cycle(place: number): Promise<void> {
    const process = this.#living(place);
    if (!process) return;
    const { unfinished } = await process.loop.runCycle();
    this.report.cycles++;
    if (unfinished !== undefined) this.report.broken.push(`unfinished: ${unfinished}`);
  }

  /**
   * Two processes run cycles at the same time, and a person decides meanwhile. After `ticks` the one that leads loses its
   * lease in the middle of its cycle, as one that was stopped does, and the other one may lead beside it.
   */
  async together(decide: () => Promise<void>, ticks?: number): Promise<void> {
    const first = this.cycle(0);
    for (let tick = 0; ticks !== undefined && tick < ticks; tick++) await Promise.resolve();
    if (ticks !== undefined) this.#folder.expireLeases();
    await Promise.all([first, decide(), this.cycle(1), this.cycle(0)]);
  }

  /** A person answers. An impossible answer is rejected with a reason, and changes nothing. */
  async decide(place: number, kind: 'approve' | 'reject' | 'apply' | 'rollback', which: number): Promise<void> {
    const process = this.#living(place);
    if (!process) return;
    const fixes = process.loop.fixes();
    const fix = fixes[which % Math.max(1, fixes.length)];
    if (!fix) return;
    const answer = { by: 'ada', reason: 'it seemed right' };
    await process.loop[kind](fix.id, answer).catch((error: { code?: string }) => {
      if (error.code !== 'illegal-step') this.report.broken.push(`${kind}: ${error}`);
    });
  }

  async freeze(place: number): Promise<void> {
    await this.#living(place)?.loop.freeze({ by: 'ada' });
  }

  async unfreeze(place: number): Promise<void> {
    await this.#living(place)?.loop.unfreeze({ by: 'ada' });
  }

  /** A person edits a file of the agent. */
  editFile(path: 'SOUL.md' | 'AGENTS.md' | 'TOOLS.md', isEmptied: boolean): void {
    this.#workspace.set(path, isEmptied ? '# Emptied\n' : undefined);
  }

  /** Ends a process, cleanly or not, and starts another one in its place. */
  async restart(place: number, isKilled: boolean, isHeld: boolean): Promise<void> {
    const process = this.#processes[place];
    if (process) {
      process.isStopped = false;
      if (isKilled) process.store.kill();
      else await process.loop.close();
    }
    await this.start(place, isHeld);
  }

  stop(place: number): void {
    const process = this.#processes[place];
    if (process) process.isStopped = true;
  }

  resume(place: number): void {
    const process = this.#processes[place];
    if (process) process.isStopped = false;
  }

  pass(ms: number): void {
    this.clock.pass(ms);
    for (const process of this.#processes) if (process && !process.isStopped) process.store.beat();
  }

  /** Closes everything, and compares what was saved with what the logs alone give. */
  async finish(): Promise<LifeReport> {
    await this.compare();
    for (const place of this.#processes.keys()) this.resume(place);
    for (const process of this.#processes) await process?.loop.close();
    const saved = await this.#folder.saved('loop');
    if (saved && this.#isCompared) await this.#compareWithLogs('the saved state', saved);
    await this.start(0);
    await this.compare();
    const { ledger } = await this.#folder.logs();
    for (const line of ledger) {
      const { kind, to, trial, verdict }: Partial<Extract<LedgerEntry, { kind: 'fix-moved' }>> = JSON.parse(line);
      const step = [kind, to, trial?.phase, verdict?.kind].filter((part) => part !== undefined).join(' ');
      this.report.steps.set(step, (this.report.steps.get(step) ?? 0) + 1);
    }
    await this.#processes[0]?.loop.close();
    return this.report;
  }

  /** Removes what the life left on the disk. */
  remove(): void {
    this.#folder.remove();
  }

  /** Compares what each living process knows with what a process knows that has only the logs. */
  async compare(): Promise<void> {
    if (!this.#isCompared) return;
    for (const [place, process] of this.#processes.entries()) {
      if (!process || process.isStopped) continue;
      const components = judgedParts(process.loop as RSILoop);
      await components.ledger.follow();
      await this.#compareWithLogs(`process ${place}`, knownBy(components));
    }
  }

  async #compareWithLogs(what: string, text: string): Promise<void> {
    const { entries, lessons }: { entries: number; lessons?: unknown } = JSON.parse(text);
    const components = await this.#readLogs(entries);
    // Lessons are not saved: every start learns them from the ledger.
    const fromLogs = lessons === undefined ? JSON.stringify(snapshotOf(components)) : knownBy(components);
    this.report.compared++;
    if (text !== fromLogs) {
      const where = firstDifference(JSON.parse(text), JSON.parse(fromLogs), '');
      this.report.broken.push(`${what} differs from the logs: ${where ?? 'in the order of its keys'}`);
    }
  }

  /** State of a process that starts with so many decisions and the journal alone. */
  async #readLogs(decisions: number): Promise<Components> {
    if (this.#fromLogs?.decisions !== decisions) {
      const { loop } = await this.#open(await this.#folder.logs(decisions), 'reader');
      this.#fromLogs = { decisions, components: judgedParts(loop) };
    }
    return this.#fromLogs.components;
  }

  #end(task: OpenTask, index: number, endsSession: boolean): void {
    const { error, issues, isTried } = TROUBLES[index] ?? {};
    const { rate, effect, extraMs } = this.#weather[index] ?? { rate: 0, effect: 1, extraMs: 0 };
    const isFixed = isTried?.(task.policy, task.advice) ?? false;
    const failed = this.#luck() < Math.min(0.95, isFixed ? rate * effect : rate);
    const durationMs = 50 + 100 * this.#luck() + (isFixed ? extraMs : 0);
    const more = {
      durationMs,
      tokens: { input: 100, output: Math.round(50 * this.#luck()) },
      costUsd: durationMs / 1e5,
    };
    const what = failed ? { ...(error !== undefined && { error }), ...(issues && { issues }) } : {};
    task.end({ success: !failed, ...more, ...what, ...(endsSession && { endsSession }) });
  }

  #living(place: number): Process | undefined {
    const process = this.#processes[place];
    return process?.isStopped ? undefined : process;
  }

  async #open(folder: LifeFolder, writer: string): Promise<Process> {
    const store = folder.open(writer, this.clock);
    const loop = new RSILoop({
      store,
      clock: this.clock,
      random: seededRandom(this.#started),
      alpha: 0.2,
      workspace: this.#workspace,
      autoApprove: { confidenceAtLeast: 0, severityAtMost: 'high', files: ['TOOLS'] },
      expireAfterMs: 5 * 86_400_000,
      gate: { decide: async (fix) => this.#answer(fix) },
    });
    // Entries that a host adds: settings for failures that come with a rule of their own, safe and not.
    for (const safe of [true, false]) {
      loop.fixer.register({
        name: `slower ${safe ? '' : 'and asked for'}`,
        match: ({ issue }) => issue === (safe ? 'auth' : 'timeout'),
        propose: () => [{ set: { 'backoff.baseMs': 700 }, reason: 'they come too fast', safe }],
      });
    }
    loop.on('problem', (problem) => this.#hear(problem));
    await loop.ready();
    return { loop, store, open: [], isStopped: false };
  }

  #hear({ where, message }: Extract<LoopEvent, { kind: 'problem' }>): void {
    // A life stops processes on purpose.
    if (message.includes('shows no sign of life')) return;
    if (where === 'ledger') this.report.dropped++;
    if (where === 'ledger' || where === 'cycle' || where === 'store' || where === 'fix') {
      this.report.broken.push(`${where}: ${message}`);
    }
  }

  #answer({ id, changedMs }: Fix) {
    // Depends on the fix alone: who asks, and how often, changes no luck.
    const drawn = (id.charCodeAt(4) + changedMs) % 10;
    if (drawn === 0) return { kind: 'rejected' as const, by: 'gate', reason: 'no', atMs: this.clock.now() };
    if (drawn < 3) return { kind: 'approved' as const, by: 'gate', reason: 'yes', atMs: this.clock.now() };
    return { kind: 'waiting' as const, sinceMs: changedMs };
  }
}

/** State of a process that follows from the logs. */
function knownBy(components: Components): string {
  return JSON.stringify({ ...snapshotOf(components), lessons: components.experience.lessons });
}

/** Returns the first place where two values differ, with both. */
function firstDifference(one: unknown, other: unknown, path: string): string | undefined {
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined;
  const both = [one, other];
  if (both.some((value) => typeof value !== 'object' || value === null)) {
    return `${path} is ${both.map((value) => String(JSON.stringify(value)).slice(0, 200)).join(', from the logs ')}`;
  }
  const [a, b] = both as [Record<string, unknown>, Record<string, unknown>]; // objects may be asked for any key
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/** One turn of the event loop: what was asked of the store in the background has come. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
