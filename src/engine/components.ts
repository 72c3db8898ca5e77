import { Analyzer, type AnalyzerOptions } from '../analyze/analyzer.js';
import type { Forecast } from '../contract/fix.js';
import type { Model } from '../contract/model.js';
import { AskingGate } from '../defaults/asking-gate.js';
import { MemoryStore } from '../defaults/memory-store.js';
import { Experience } from '../experience/lessons.js';
import type { ForecastRequest } from '../fix/build-fix.js';
import type { ChangeKinds } from '../fix/change-kinds.js';
import { Fixer } from '../fix/fixer.js';
import { Questions, type QuestionsOptions } from '../fix/questions.js';
import { Ledger, type LedgerOptions } from '../ledger/ledger.js';
import { trialsFor } from '../ledger/trial-counts.js';
import { SUPPRESSED } from '../run/capture.js';
import { forecast } from '../verify/forecast.js';
import type { HealthOptions } from '../verify/health.js';
import { levelOf } from '../verify/level.js';
import { LiveHealth } from '../verify/live-health.js';
import { ModelWatch } from '../verify/model-watch.js';
import { Verifier, type VerifierOptions } from '../verify/verifier.js';
import { AppliedFixes } from './assess-applied.js';
import { createKinds } from './create-kinds.js';
import { defined, type FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';
import { CauseSuggester } from './suggest-causes.js';

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
  readonly kinds: ChangeKinds;
  readonly applied: AppliedFixes;
  /** Forecasts the length of a trial. */
  readonly forecastOf: (about: ForecastRequest) => Forecast;
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
  /** Returns the components in use, which are replaced when the store is read again. */
  readonly components: () => Components;
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
  const { clock, store, events, observer, capture, alpha, repeats } = front;
  const reportAt = (where: string) => (message: string) => events.emit({ kind: 'problem', where, message });
  const saved = componentOptions(options);
  const experience = new Experience();
  const { onEntry, onDropped, onBroken } = hooks;
  const ledger = new Ledger({ log: store.ledger, onEntry, onDropped, onBroken });
  const study = options.model && openStudy(options.model);
  const writer = options.ruleWriter ?? study?.ruleWriter;
  const kinds = createKinds(front, options, { components: hooks.components, experience, writer });
  const forecastOf: Components['forecastOf'] = ({ attempt, ...about }) => {
    const { opened, confirmed } = ledger.state.trials;
    return forecast({ ...about, needed: 1 / levelOf({ trial: opened + 1, confirmed, attempt }, alpha) });
  };
  return {
    ...front,
    forecastOf,
    analyzer: new Analyzer(saved.analyzer),
    kinds,
    fixer: new Fixer({
      kinds,
      repeats,
      recall: (pattern) => experience.recall({ ...pattern, patternId: pattern.id }),
      forecast: forecastOf,
      attemptsOn: (pattern) => trialsFor(ledger.state.trials, pattern),
      report: reportAt('fix'),
    }),
    questions: new Questions({
      gate: options.gate ?? new AskingGate(clock),
      clock,
      onAnswer: hooks.onAnswer,
      report: reportAt('gate'),
    }),
    verifier: new Verifier(saved.verifier),
    health: new LiveHealth(saved.health),
    models: new ModelWatch(),
    experience,
    ledger,
    ...(study && { study }),
    applied: new AppliedFixes(),
    ...frozenFromOutside(),
  };

  function openStudy(model: Model): CauseSuggester {
    return new CauseSuggester({
      model,
      clock,
      timeoutMs: front.modelTimeoutMs,
      record: (task, fields) => void observer.recordSimple(task, fields),
      report: reportAt('model'),
      unseen: (work) => capture.run(SUPPRESSED, work, undefined),
    });
  }
}

/** Returns the same components with an in-memory store. Used if the given store cannot be read. */
export function withoutStore(
  components: Components,
  { onEntry, onDropped }: Pick<Hooks, 'onEntry' | 'onDropped'>,
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
