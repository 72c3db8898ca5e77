/** `rsi-loop/parts`: what the loop is made of, for people who want only one of its parts. */
export { Analyzer } from './analyze/analyzer.js';
export { BurstAlarm } from './analyze/bursts.js';
export type { JsonSchema } from './contract/json-schema.js';
export { OUTCOME_FIELDS, type OutcomeField } from './contract/outcome.js';
export { MemoryWorkspace } from './defaults/memory-workspace.js';
export { checkRule, quoted } from './fix/check-rule.js';
export { ruleCounters } from './fix/rules/usefulness.js';
export { erasedFrom } from './lib/erased-ids.js';
export { checkJson, readJson } from './lib/json-schema.js';
export { checkAnswer, checkRequest } from './lib/model-answer.js';
export { recordedText } from './lib/recorded-text.js';
export { OutcomeWindow, type WindowCounts } from './observe/window.js';
export { HealthMeter, type HealthPoint } from './verify/health.js';
export { placebo, type TimedEnd } from './verify/placebo.js';
