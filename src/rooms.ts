import { Analyzer, type AnalyzerOptions } from './analyze/analyzer.js';
import { AskingGate } from './defaults/asking-gate.js';
import { MemoryStore } from './defaults/memory-store.js';
import { LoopError } from './errors.js';
import { Experience } from './experience/lessons.js';
import { type AutoApproval, readAutoApproval } from './fix/auto-approval.js';
import { Fixer } from './fix/fixer.js';
import { Questions, type QuestionsOptions } from './fix/questions.js';
import { RuleDrafts } from './fix/rule-drafts.js';
import { RuleFiles, type RulePaths } from './fix/rule-files.js';
import type { Batch } from './ledger/batch.js';
import { Ledger, type LedgerOptions } from './ledger/ledger.js';
import { Emitter } from './lib/emitter.js';
import { idMaker } from './lib/ids.js';
import type { Random } from './lib/random.js';
import { SystemClock } from './lib/system-clock.js';
import { messageOf } from './lib/text.js';
import { Observer } from './observe/observer.js';
import type { RSILoopOptions } from './options.js';
import { envelopeOf } from './policy.js';
import type { Clock, Model, Store } from './ports.js';
import type { LedgerEntry, LoopEvent, Outcome } from './records.js';
import { type Capture, createCapture, QUIET } from './run/capture.js';
import { PolicyTable } from './run/policy-table.js';
import { Study } from './study.js';
import { forecast } from './verify/forecast.js';
import { HealthMeter, type HealthOptions } from './verify/health.js';
import { ModelWatch } from './verify/model-watch.js';
import { alphaOf, unitFor } from './verify/plan.js';
import { Verifier, type VerifierOptions } from './verify/verifier.js';

/**
 * The way into a loop for functions that take it (`mark`, `healthHistory` ...), so that the class keeps to the verbs that
 * everybody needs. Not for hosts: what lies behind it changes without notice. The same in two copies of the package.
 */
export const ROOMS: unique symbol = Symbol.for('rsi-loop.rooms');

/** The rooms of one loop. */
export interface Rooms {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly events: Emitter<LoopEvent>;
  readonly newId: (atMs: number) => string;
  readonly capture: Capture;
  readonly observer: Observer;
  readonly analyzer: Analyzer;
  readonly fixer: Fixer;
  readonly questions: Questions;
  readonly policies: PolicyTable;
  readonly verifier: Verifier;
  readonly health: HealthMeter;
  readonly models: ModelWatch;
  readonly experience: Experience;
  readonly ledger: Ledger;
  /** What a model adds; only where there is one. */
  readonly study?: Study;
  readonly autoFix: boolean;
  readonly ruleFiles: RuleFiles;
  /** There only with a writer of rules. */
  readonly ruleDrafts?: RuleDrafts;
  readonly autoApprove?: AutoApproval;
  readonly expireAfterMs: number;
  /** False confirmations allowed per pattern. */
  readonly alpha: number;
  /** Why no trial may run in this process, whatever the ledger says. */
  readonly noTrials?: string;
  /** Records that were read for an entry of this process and need not be read again when it is applied. */
  readonly batches: WeakMap<LedgerEntry, Batch>;
}

/** Options of the rooms whose state can be saved. */
export interface RoomOptions {
  readonly analyzer: AnalyzerOptions;
  readonly verifier: VerifierOptions;
  readonly health: HealthOptions;
}

export function roomOptions(options: RSILoopOptions): RoomOptions {
  return {
    analyzer: defined({ recurrenceThreshold: options.recurrenceThreshold, windowMs: options.windowMs }),
    verifier: defined({ holdBack: options.holdBack }),
    health: defined({ halfLifeMs: options.healthHalfLifeMs }),
  };
}

/** What the rooms tell the loop. */
export interface Hooks {
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onEntry: LedgerOptions['onEntry'];
  readonly onAnswer: QuestionsOptions['onAnswer'];
}

/**
 * Builds the rooms and wires them: what crosses between rooms of one row crosses here, as a function.
 * @throws LoopError `invalid-policy` when settings or bounds name or hold something that cannot be, `invalid-input` for alpha.
 */
export function openRooms(options: RSILoopOptions, hooks: Hooks): Rooms {
  const clock = options.clock ?? new SystemClock();
  const store = options.store ?? new MemoryStore({ clock });
  const events: Emitter<LoopEvent> = new Emitter((kind, error) => {
    // Whoever fails to hear of problems would fail to hear of this one, too.
    if (kind !== 'problem') tell({ where: 'on', message: `a handler of ${kind} failed: ${messageOf(error)}` });
  });
  const tell = (problem: { readonly where: string; readonly message: string }) =>
    events.emit({ kind: 'problem', ...problem });
  const newId = idMaker(store.writer);
  const saved = roomOptions(options);
  const alpha = parseAlpha(options.alpha);
  const experience = new Experience();
  const envelope = envelopeOf(options.bounds, options.ownSettings);
  const policies = new PolicyTable({ report: tell, envelope, ...defined({ settings: options.policy }) });
  const capture = createCapture();
  const observer = new Observer({
    clock,
    newId,
    emit: hooks.onOutcome,
    report: tell,
    ...defined({ source: options.source, rules: options.rules }),
  });
  const tellRules = (message: string) => tell({ where: 'rules', message });
  const ruleFiles = new RuleFiles({
    report: tellRules,
    ...defined({ workspace: options.workspace, paths: options.ruleFiles as RulePaths | undefined }), // names are checked there
  });
  const { ruleWriter: writer } = options;
  const ruleDrafts = writer && new RuleDrafts({ writer, clock, files: ruleFiles.names, report: tellRules });
  return {
    clock,
    random: options.random ?? Math.random,
    store,
    events,
    newId,
    capture,
    observer,
    analyzer: new Analyzer(saved.analyzer),
    fixer: new Fixer({
      policyFor: (scope) => policies.lookup(scope),
      recall: (pattern) => experience.recall({ ...pattern, patternId: pattern.id }),
      unitFor,
      forecast: (about) => forecast({ ...about, needed: 1 / alphaOf(about.attempt, alpha) }),
      report: (message) => tell({ where: 'fix', message }),
      envelope,
      files: ruleFiles.names,
      existing: (file) => ruleFiles.existing(file),
      written: (patternId) => ruleDrafts?.of(patternId) ?? [],
    }),
    questions: new Questions({
      gate: options.gate ?? new AskingGate(clock),
      clock,
      onAnswer: hooks.onAnswer,
      report: (message) => tell({ where: 'gate', message }),
    }),
    policies,
    verifier: new Verifier(saved.verifier),
    health: new HealthMeter(saved.health),
    models: new ModelWatch(),
    experience,
    ledger: new Ledger({ store, onEntry: hooks.onEntry }),
    ...(options.model && { study: openStudy(options.model) }),
    autoFix: options.autoFix ?? true,
    ruleFiles,
    ...defined({ ruleDrafts, autoApprove: readAutoApproval(options.autoApprove) }),
    expireAfterMs: readExpiry(options.expireAfterMs),
    alpha,
    ...frozenFromOutside(),
    batches: new WeakMap(),
  };

  function openStudy(model: Model): Study {
    return new Study({
      model,
      clock,
      timeoutMs: parseModelTimeout(options.modelTimeoutMs),
      record: (task, fields) => void observer.recordSimple(task, fields),
      report: (message) => tell({ where: 'model', message }),
      unseen: (work) => capture.run(QUIET, work, undefined),
    });
  }
}

function parseModelTimeout(timeoutMs = 30_000): number {
  if (timeoutMs >= 1 && timeoutMs <= 3_600_000) return timeoutMs;
  throw new LoopError('invalid-input', `modelTimeoutMs is ${timeoutMs}: give milliseconds, from 1 to an hour`);
}

function readExpiry(expireAfterMs = 30 * 24 * 3_600_000): number {
  if (expireAfterMs > 0) return expireAfterMs;
  throw new LoopError('invalid-input', `expireAfterMs is ${expireAfterMs}: give milliseconds above 0`);
}

function parseAlpha(alpha = 0.05): number {
  if (alpha > 0 && alpha <= 0.2) return alpha;
  throw new LoopError('invalid-input', `alpha is ${alpha}: give a share above 0 and at most 0.2`);
}

/** The same rooms over a store in memory, for when the one they were given cannot be read. */
export function withoutStore(rooms: Rooms, onEntry: Hooks['onEntry']): Rooms {
  const store = new MemoryStore({ clock: rooms.clock });
  return { ...rooms, store, ledger: new Ledger({ store, onEntry }), noTrials: 'the store cannot be read' };
}

/** The kill switch for whoever runs the process. */
function frozenFromOutside(): { readonly noTrials?: string } {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  const value = environment?.RSI_FREEZE ?? '';
  return value === '' || value === '0' || value === 'false' ? {} : { noTrials: 'RSI_FREEZE is set' };
}

/** Without the fields that are undefined, so that a room's own defaults hold. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // Only undefined values were taken out, which is what the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
