import { Analyzer, type AnalyzerOptions } from '../analyze/analyzer.js';
import type { Forecast } from '../contract/fix.js';
import type { Model } from '../contract/model.js';
import { AskingGate } from '../defaults/asking-gate.js';
import { Experience } from '../experience/lessons.js';
import type { Library } from '../experience/library.js';
import type { ForecastRequest } from '../fix/build-fix.js';
import type { ChangeKinds } from '../fix/change-kinds.js';
import { Fixer } from '../fix/fixer.js';
import { Questions, type QuestionsOptions } from '../fix/questions.js';
import { trialsFor } from '../ledger/trial-counts.js';
import { defined } from '../live/fixed-components.js';
import type { LiveComponents } from '../live/live-components.js';
import type { RSILoopOptions } from '../live/options.js';
import { SUPPRESSED } from '../run/capture.js';
import { forecast } from '../verify/forecast.js';
import type { HealthOptions } from '../verify/health.js';
import { levelOf } from '../verify/level.js';
import { LiveHealth } from '../verify/live-health.js';
import { ModelWatch } from '../verify/model-watch.js';
import { Verifier, type VerifierOptions } from '../verify/verifier.js';
import { AppliedFixes } from './assess-applied.js';
import { createKinds } from './create-kinds.js';
import { CauseSuggester } from './suggest-causes.js';

/** Components of the judge, which decides about fixes off the request path. */
export interface JudgedComponents {
  readonly analyzer: Analyzer;
  readonly fixer: Fixer;
  readonly questions: Questions;
  readonly verifier: Verifier;
  readonly health: LiveHealth;
  readonly models: ModelWatch;
  readonly experience: Experience;
  /** Suggestions of a model; absent without a model. */
  readonly study?: CauseSuggester;
  readonly kinds: ChangeKinds;
  readonly applied: AppliedFixes;
  /** Forecasts the length of a trial. */
  readonly forecastOf: (about: ForecastRequest) => Forecast;
}

/** The components of one loop. */
export interface Components extends Omit<LiveComponents, 'kinds'>, JudgedComponents {}

/** Components restored from a snapshot. */
export interface RestoredComponents {
  readonly entries: number;
  readonly components: Pick<JudgedComponents, 'analyzer' | 'verifier' | 'health' | 'models'>;
  readonly library: Library;
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

export interface JudgeOptions {
  readonly options: RSILoopOptions;
  readonly onAnswer: QuestionsOptions['onAnswer'];
  /** Components restored from a snapshot; absent without one. */
  readonly saved?: RestoredComponents | undefined;
}

/**
 * Creates the components of the judge and wires them. Functions passed here are the only links between components of one
 * layer.
 */
export function createComponents(live: LiveComponents, { options, onAnswer, saved }: JudgeOptions): JudgedComponents {
  const { clock, events, observer, capture, alpha, repeats, ledger } = live;
  const reportAt = (where: string) => (message: string) => events.emit({ kind: 'problem', where, message });
  const given = componentOptions(options);
  const experience = new Experience();
  if (saved) experience.restore(saved.library);
  const { analyzer, verifier, health, models } = saved?.components ?? {
    analyzer: new Analyzer(given.analyzer),
    verifier: new Verifier(given.verifier),
    health: new LiveHealth(given.health),
    models: new ModelWatch(),
  };
  const study = options.model && openStudy(options.model);
  const writer = options.ruleWriter ?? study?.ruleWriter;
  const kinds = createKinds(live, options, { verifier, experience, writer });
  const forecastOf: JudgedComponents['forecastOf'] = ({ attempt, ...about }) => {
    const { opened, confirmed, spent, unconfirmed } = ledger.state.trials;
    const place = { trial: opened + 1, confirmed, attempt, spent, unconfirmed };
    return forecast({ ...about, needed: 1 / levelOf(place, alpha) });
  };
  return {
    ...{ forecastOf, analyzer, verifier, health, models, kinds, experience },
    fixer: new Fixer({
      kinds,
      repeats,
      recall: (pattern) => experience.recall({ ...pattern, patternId: pattern.id }),
      forecast: forecastOf,
      attemptsOn: (pattern) => trialsFor(ledger.state.trials, pattern),
      since: (pattern, fromMs) => analyzer.since(pattern.id, fromMs),
      report: reportAt('fix'),
    }),
    questions: new Questions({
      gate: options.gate ?? new AskingGate(clock),
      clock,
      onAnswer,
      report: reportAt('gate'),
    }),
    ...(study && { study }),
    applied: new AppliedFixes(),
  };

  function openStudy(model: Model): CauseSuggester {
    return new CauseSuggester({
      model,
      clock,
      timeoutMs: live.modelTimeoutMs,
      record: (task, fields) => void observer.recordSimple(task, fields),
      report: reportAt('model'),
      unseen: (work) => capture.run(SUPPRESSED, work, undefined),
    });
  }
}
