import { LoopError } from 'rsi-loop';
import type { ImproveOptions, SettingBounds } from 'rsi-loop/improve';
import { isObject } from '../config/check-config.js';

/** Export `improve` of the file with the benchmarks. */
export interface ImproveConfig
  extends Omit<ImproveOptions, 'rounds' | 'runs' | 'log' | 'signal' | 'onStep' | 'onProgress'> {
  /** Bounds of settings within which `--approve-policy` needs no person. */
  readonly bounds?: Readonly<Record<string, SettingBounds>>;
}

const FIELDS: Readonly<Record<keyof ImproveConfig, true>> = {
  propose: true,
  start: true,
  draftSteps: true,
  alpha: true,
  patience: true,
  target: true,
  budget: true,
  repeats: true,
  comparison: true,
  concurrency: true,
  seed: true,
  bounds: true,
};

/**
 * Checks the export `improve` of a file. `iterate` checks the values of most options.
 * @throws LoopError `invalid-input` naming the file and the field.
 */
export function readImproveConfig(value: unknown, file: string): ImproveConfig {
  const say = (problem: string) => new LoopError('invalid-input', `"improve" of ${file} ${problem}`);
  if (!isObject(value)) throw say('is not an object: write improve: { propose }');
  if (typeof value.propose !== 'function')
    throw say('has no function "propose": write improve: { propose: proposer(model, { texts }) }');
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown !== undefined) throw say(`has the unknown field ${unknown}: known are ${Object.keys(FIELDS).join(', ')}`);
  const { bounds = {} } = value;
  const wrong = isObject(bounds) ? Object.entries(bounds).find(([, one]) => !isBounds(one))?.[0] : 'bounds';
  if (wrong !== undefined) throw say(`has bounds of ${wrong} that are not { min, max }: give two numbers`);
  return value as unknown as ImproveConfig; // the rest is for `iterate`
}

function isBounds(value: unknown): value is SettingBounds {
  return isObject(value) && typeof value.min === 'number' && typeof value.max === 'number';
}
