import { Analyzer, type AnalyzerOptions } from '../analyze/analyzer.js';
import type { Model } from '../contract/model.js';
import { AskingGate } from '../defaults/asking-gate.js';
import { MemoryStore } from '../defaults/memory-store.js';
import { Experience } from '../experience/lessons.js';
import { Fixer } from '../fix/fixer.js';
import { Questions, type QuestionsOptions } from '../fix/questions.js';
import { RuleDrafts } from '../fix/rule-drafts.js';
import { RuleFiles } from '../fix/rule-files.js';
import { Ledger, type LedgerOptions } from '../ledger/ledger.js';
import { trialsFor } from '../ledger/trial-counts.js';
import { SUPPRESSED } from '../run/capture.js';
import { forecast } from '../verify/forecast.js';
import type { HealthOptions } from '../verify/health.js';
import { levelOf } from '../verify/level.js';
import { LiveHealth } from '../verify/live-health.js';
import { ModelWatch } from '../verify/model-watch.js';
import { unitFor } from '../verify/plan.js';
import { triggerOf } from '../verify/trigger.js';
import { Verifier, type VerifierOptions } from '../verify/verifier.js';
import { AppliedFixes } from './assess-applied.js';
import { defined, type FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';
import { CauseSuggester } from './suggest-causes.js';
import { listsAttempts } from './trial-of-fix.js';

/** The components of one loop. */
export interface Components extends FixedComponents {
  readonly analyzer: Analyzer;
  readonly fixer: Fixer;
  readonly questions: Questions;
  readonly verifier: Verifier;
  readonly health: LiveHealth;
  readonly models: ModelWatch;
  readonly experience: Experience;
  readonly ledger: Ledger;
  /** Suggestions of a model; absent without a model. */
  readonly study?: CauseSuggester;
  readonly ruleFiles: RuleFiles;
  readonly applied: AppliedFixes;
  /** Present only if there is a writer of rules. */
  readonly ruleDrafts?: RuleDrafts;
  /** Why no trial may run in this process, regardless of the ledger. */
  readonly noTrials?: string;
}

/** Options of the components whose state can be saved. */
export interface ComponentOptions {
  readonly analyzer: AnalyzerOptions;
  readonly verifier: VerifierOptions;
  readonly health: HealthOptions;
}

export function componentOptions(options: RSILoopOptions): ComponentOptions {
  return {
    analyzer: defined({ recurrenceThreshold: options.recurrenceThreshold, windowMs: options.windowMs }),
    verifier: defined({ holdout: options.holdout }),
    health: defined({ halfLifeMs: options.healthHalfLifeMs }),
  };
}

/** Callbacks from the components to the loop. */
export interface Hooks {
  readonly onEntry: LedgerOptions['onEntry'];
  readonly onDropped: NonNullable<LedgerOptions['onDropped']>;
  readonly onBroken: NonNullable<LedgerOptions['onBroken']>;
  readonly onAnswer: QuestionsOptions['onAnswer'];
}

/**
 * Creates the remaining components and wires them. Functions passed here are the only links between components of one
 * layer.
 */
export function createComponents(front: FixedComponents, options: RSILoopOptions, hooks: Hooks): Components {
  const { clock, store, events, policies, observer, capture, alpha, envelope } = front;
  const tell = (where: string, message: string) => events.emit({ kind: 'problem', where, message });
  const saved = componentOptions(options);
  const experience = new Experience();
  const tellRules = (message: string) => tell('rules', message);
  const { onEntry, onDropped, onBroken } = hooks;
  const ledger = new Ledger({ log: store.ledger, onEntry, onDropped, onBroken });
  const ruleFiles = new RuleFiles({
    report: tellRules,
    paths: front.rulePaths,
    ...defined({ workspace: options.workspace }),
  });
  const study = options.model && openStudy(options.model);
  const writer = options.ruleWriter ?? study?.ruleWriter;
  const ruleDrafts = writer && new RuleDrafts({ writer, clock, files: ruleFiles.names, report: tellRules });
  return {
    ...front,
    analyzer: new Analyzer(saved.analyzer),
    fixer: new Fixer({
      policyFor: (scope) => policies.lookup(scope),
      recall: (pattern) => experience.recall({ ...pattern, patternId: pattern.id }),
      repeats: front.repeats,
      unitFor,
      forecast: ({ attempt, ...about }) => {
        const { opened, confirmed } = ledger.state.trials;
        return forecast({ ...about, needed: 1 / levelOf({ trial: opened + 1, confirmed, attempt }, alpha) });
      },
      isTriggered: ({ set, undo }, unit, task) =>
        unit === 'task' && listsAttempts(task) && triggerOf(set, undo) !== undefined,
      inOrder: ({ id, issue }, candidates, setOf) => experience.record.order({ issue, seed: id }, candidates, setOf),
      attemptsOn: (pattern) => trialsFor(ledger.state.trials, pattern),
      report: (message) => tell('fix', message),
      envelope,
      files: ruleFiles.names,
      existing: (file) => ruleFiles.existing(file),
      written: (patternId) => ruleDrafts?.of(patternId) ?? [],
      unwritten: (patternId) => ruleDrafts?.problemOf(patternId),
    }),
    questions: new Questions({
      gate: options.gate ?? new AskingGate(clock),
      clock,
      onAnswer: hooks.onAnswer,
      report: (message) => tell('gate', message),
    }),
    verifier: new Verifier(saved.verifier),
    health: new LiveHealth(saved.health),
    models: new ModelWatch(),
    experience,
    ledger,
    ...(study && { study }),
    ruleFiles,
    applied: new AppliedFixes(),
    ...defined({ ruleDrafts }),
    ...frozenFromOutside(),
  };

  function openStudy(model: Model): CauseSuggester {
    return new CauseSuggester({
      model,
      clock,
      timeoutMs: front.modelTimeoutMs,
      record: (task, fields) => void observer.recordSimple(task, fields),
      report: (message) => tell('model', message),
      unseen: (work) => capture.run(SUPPRESSED, work, undefined),
    });
  }
}

/** Returns the same components with an in-memory store. Used if the given store cannot be read. */
export function withoutStore(
  components: Components,
  { onEntry, onDropped }: Omit<Hooks, 'onAnswer' | 'onBroken'>,
): Components {
  const store = new MemoryStore({ clock: components.clock });
  return {
    ...components,
    store,
    ledger: new Ledger({ log: store.ledger, onEntry, onDropped }),
    noTrials: 'the store cannot be read',
  };
}

/** Reads the kill switch, `RSI_FREEZE`, from the environment. */
function frozenFromOutside(): { readonly noTrials?: string } {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  const value = environment?.RSI_FREEZE ?? '';
  return value === '' || value === '0' || value === 'false' ? {} : { noTrials: 'RSI_FREEZE is set' };
}
