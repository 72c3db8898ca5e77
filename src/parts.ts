/** `rsi-loop/parts`: what the loop is made of, for people who want only one of its parts. */
export { Analyzer, type AnalyzerOptions } from './analyze/analyzer.js';
export { BurstAlarm, type BurstKey } from './analyze/bursts.js';
export {
  type NoSimulation,
  type SimulatedRetries,
  type SimulatedStep,
  type Simulation,
  simulate,
} from './run/simulate.js';
export { HealthMeter, type HealthOptions, type HealthPoint } from './verify/health.js';
export { type PlaceboInput, placebo, type TimedEnd } from './verify/placebo.js';
