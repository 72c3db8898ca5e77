import { excludedBy, scopeCovers } from './contract/scope.js';
import { AskedDrafts } from './fix/asked-drafts.js';
import { wrongStopOf } from './fix/catalog/later-stop.js';
import { findSuspect } from './fix/check-rule.js';
import { isCopied } from './fix/copied.js';
import { fixIdOf } from './fix/fix-id.js';
import { ideaOf } from './fix/ideas.js';
import { scopeInWords } from './fix/kinds/setting-words.js';
import { questionFix } from './fix/question.js';
import { proposeIdea } from './judge/propose-idea.js';
import { readPeriod } from './judge/read-period.js';
import { timelines } from './judge/timelines.js';
import { trialBudget } from './judge/trial-budget.js';
import { legalDecisions } from './ledger/legal-decisions.js';
import { isInForce } from './ledger/legal-steps.js';
import { eraseMatcher, quotedWords, withoutWords, wordsOf } from './lib/erase-filter.js';
import { erasedFrom, erasedKey } from './lib/erased-ids.js';
import { hashHex, hashUnit } from './lib/hash.js';
import { hashJson } from './lib/hash-json.js';
import { jsonSlices } from './lib/json-pieces.js';
import { checkJson, readJson } from './lib/json-schema.js';
import { checkAnswer, checkRequest } from './lib/model-answer.js';
import { mustBeModel } from './lib/must-be.js';
import { isThenable } from './lib/promises.js';
import { seededRandom } from './lib/random.js';
import { groupPatterns, isMeasure, rankPatterns, totalOf } from './lib/rank-patterns.js';
import { shuffled } from './lib/shuffled.js';
import { cosine, similarities, termsOf } from './lib/similarity.js';
import { normalDensity, normalQuantile, normalShare } from './lib/statistics.js';
import { shortVersion, versionOf } from './lib/text-version.js';
import { diffSteps, unifiedDiff } from './lib/unified-diff.js';
import { yieldToEventLoop } from './lib/yield-to-event-loop.js';
import { isRandomised } from './live/active-fixes.js';
import { checkAnswer as checkDecision } from './live/check-arguments.js';
import { failureIn } from './live/start-call.js';
import { sanitizeName, sanitizeObject, sanitizeText } from './observe/sanitize.js';
import { isStream, tagOf, watchStream } from './run/stream.js';
import { assignArms } from './verify/assign.js';
import { logMean } from './verify/betting-martingale.js';
import { levelOf } from './verify/level.js';
import { Verifier } from './verify/verifier.js';

/**
 * Entry point `rsi-loop/kit`: parts that companions of the loop are built from. For packages that are released together
 * with `rsi-loop`: names here may change with any version. Each name says why a companion needs it.
 */

/** Patterns and task statistics of outcomes that no loop recorded, such as log files. */
export { Analyzer } from './analyze/analyzer.js';
/** All parts of a loop that is ready, also those that analyse and decide. */
export type { Components as JudgedParts } from './judge/components.js';
/** All parts of a loop that is ready. */
export { judgedParts } from './judge/judged-parts.js';
/** Parts of a loop that records and follows, such as its store, ledger and clock; `followedParts` has read the decisions. */
export { followedParts, type LoopHandle, type LoopParts, partsOf } from './live/loop-parts.js';

/** Patterns and health of any period, also of records that no cycle has read; hour by hour counts of the window. */
export const periods = { readPeriod, timelines } as const;
export type { ModelTimeline, Timelines } from './analyze/timelines.js';

/** The one order of failures in every list, and their sums per task and issue. */
export const ranking = { groupPatterns, isMeasure, rankPatterns, totalOf } as const;
export type { PatternGroup, Period } from './lib/rank-patterns.js';

/** Decisions that are legal for a fix in its status, and the check of who decided and what they said. */
export const deciding = { checkDecision, legalDecisions } as const;
export type { FixDecision } from './ledger/legal-decisions.js';

/** Fixes that ask a person about something that no trial can test, with their ids, and a person's own change. */
export const askedFixes = { fixIdOf, ideaOf, proposeIdea, questionFix, wrongStopOf } as const;

/** Drafts that a writer is asked for, and the marks of sentences that a person should read with care. */
export const drafting = { AskedDrafts, findSuspect, isCopied } as const;

/** Files of rules in memory, for tests of a companion and for loops without a disk. */
export { MemoryWorkspace } from './defaults/memory-workspace.js';

/** Check of a rule for AGENTS.md: no instruction to a model, no secret, no copied record. */
export { checkRule } from './fix/check-rule.js';

/** Bets of studies and audits that companions run themselves, and the budget for false confirmations that trials share. */
export const betting = { levelOf, logMean, normalDensity, normalQuantile, normalShare, trialBudget, Verifier } as const;
export type { TrialBudget } from './judge/trial-budget.js';
/** A share with its 95 % interval. */
export { wilsonRate } from './lib/statistics.js';
/** The sequential test behind verdicts, which `rsi-loop/bench` exports to users. */
export { ArmBet } from './verify/arm-bet.js';

/** Randomness that repeats: a seeded generator, a shuffled list, and a number from 0 to 1 that follows from a text. */
export const chance = { hashUnit, seededRandom, shuffled } as const;

/** Log of steps that outlives a kill, such as those of a study. */
export type { ImprovementLog } from './contract/improvement-log.js';
/** Names, types and units of the fields of an outcome. */
export { OUTCOME_FIELDS, type OutcomeField } from './contract/outcome.js';
export type { Random } from './lib/random.js';

/** Results of a host's function: a failure that its answer states, a promise, or a result that arrives in pieces. */
export const results = { failureIn, isStream, isThenable, tagOf, watchStream } as const;

/** Cleans names, texts and objects as records are cleaned: redacted, cut, plain JSON. */
export const cleaning = { sanitizeName, sanitizeObject, sanitizeText } as const;

/** Erased records: matches them, tells them from new ones, and removes their words from decisions. */
export const erasing = { eraseMatcher, erasedFrom, erasedKey, quotedWords, withoutWords, wordsOf } as const;

/** The checks that every model, its request and its answer pass. */
export const modelAnswers = { checkAnswer, checkRequest, mustBeModel } as const;

/** JSON Schema: reads a text that must fit, and checks a value. */
export const schemas = { checkJson, readJson } as const;

/** Hashes in hexadecimal, of a text and of JSON values, for ids that follow from content. */
export const hashing = { hashHex, hashJson } as const;

/** Long work in slices that never block the event loop: JSON, and a pause for the host's own work. */
export const inSlices = { jsonSlices, yieldToEventLoop } as const;

/** JSON text that does not depend on the order of keys, to compare values and to name them by content. */
export { canonical } from './lib/canonical.js';

/** Tasks that a fix concerns: its scope, its status, and the arm that is drawn. */
export const concerning = { assignArms, excludedBy, isInForce, isRandomised, scopeCovers, scopeInWords } as const;
/** Facts that a kind of change proposes from, and those that it writes outside the loop by. */
export type { CycleFacts, PatternFacts, Proposal, SettleFacts } from './contract/change-kind.js';
/** Named texts of a loop, as the loop asks for them. */
export type { DeclaredText } from './contract/text.js';
export type { ActiveFixes } from './live/active-fixes.js';
export type { PromptIdea, PromptsOption, TaskTexts, TextReader } from './live/task-texts.js';
export type { TaskStart } from './run/begin.js';

/** Ids of versions of a text, long and short. */
export const textVersions = { shortVersion, versionOf } as const;
export type { TextVersion } from './contract/text.js';

/** Two texts beside each other: lines that differ, as steps and as a unified diff, and similarity by words or vectors. */
export const comparing = { cosine, diffSteps, similarities, termsOf, unifiedDiff } as const;

/** Details of results of the main entry point, for screens and reports. */
export type { ActorFinding } from './contract/actor.js';
export type { NamedIssue } from './contract/issue.js';
export type { KeptNote, Marker, PatternNote } from './contract/ledger-entry.js';
export type { RebuildProgress } from './contract/loop-event.js';
/** Options of models, which `rsi-loop/models` exports to users. */
export type { ModelHealth, ModelMessage, ModelMode, ModelRole } from './contract/model.js';
export type { ModelCall } from './contract/model-call.js';
export type { RootCauseFinding } from './contract/pattern.js';
export type { AtMost } from './contract/task-statistics.js';
export type { ArmFigures, KindFigures, Placebo, TrialPoint } from './contract/verdict.js';
export type { CauseShare } from './judge/root-causes.js';
/** Adds a value to the group of its key. */
export { addTo } from './lib/add-to.js';
/** Map that drops its oldest key when it is full, so that a long run keeps a bounded memory. */
export { BoundedMap } from './lib/bounded-map.js';
/** Events with typed handlers; a failing handler is reported. */
export { Emitter } from './lib/emitter.js';
/** Whether a value from outside is an object, so that its fields can be read. */
export { isObject } from './lib/is-object.js';
/** Rejects an option, or a value that cannot be read, naming it and what is possible. */
export { isWithin, mustBe, readAs } from './lib/must-be.js';
/** The known name that a mistyped one is nearest to, for messages about options and ids. */
export { nearestName } from './lib/nearest-name.js';
/** Recorded text on one line, without invisible characters. Every screen and log prints it so. */
export { recordedText } from './lib/recorded-text.js';
export type { MayRepeat } from './lib/repeat.js';
/** Recorded text set apart from the instructions of a prompt. */
export { delimited } from './lib/shown-text.js';
/** Words for an error with its name, for an error inside a message, and for a value that was refused. */
export { describeThrown, messageOf, showValue } from './lib/text.js';
export type { Features } from './run/begin-options.js';
