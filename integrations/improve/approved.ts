import { LoopError } from 'rsi-loop';
import type { Variant } from 'rsi-loop/bench';
import { readJsonFiles } from 'rsi-loop/bench';
import { isObject, readAs } from 'rsi-loop/kit';

/** Format of the files that `rsi improve approve` writes. */
export const APPROVED_FORMAT = 'rsi-approved/1';

/** Version that was approved, as a file. */
export interface ApprovedVersion extends Variant {
  readonly format: typeof APPROVED_FORMAT;
  readonly suite: string;
  /** Id of the version in the log of the improvement. */
  readonly version: string;
  readonly by: string;
  readonly approvedAt: string;
  readonly reason?: string;
}

/**
 * Reads the version that `rsi improve approve` has written: the texts and settings that the agent uses.
 * @throws LoopError `invalid-input` if there is no such file, or it is no approved version.
 */
export function readApproved(path: string): ApprovedVersion {
  const [content] = readJsonFiles(path);
  const read = (isObject(content) ? content : {}) as Partial<ApprovedVersion>;
  const isWhole = [read.prompts, read.policy].every((part) => part === undefined || isObject(part));
  if (read.format === APPROVED_FORMAT && isWhole) return read as ApprovedVersion; // as `rsi improve approve` writes it
  throw new LoopError('invalid-input', `${path} is no approved version: write it with "rsi improve approve"`);
}

/** Lowest and highest value of a setting. */
export interface SettingBounds {
  readonly min: number;
  readonly max: number;
}

/** Returns whether a version differs from the start in settings only, and each of these is a number within its bounds. */
export function isWithinBounds(
  version: Variant,
  start: Variant,
  bounds: Readonly<Record<string, SettingBounds>>,
): boolean {
  return readAs('version, start or bounds', 'what an improvement gives', () => differsWithin(version, start, bounds));
}

function differsWithin(version: Variant, start: Variant, bounds: Readonly<Record<string, SettingBounds>>): boolean {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
  if (!isSame(version.prompts, start.prompts) || !isSame(version.code, start.code)) return false;
  return Object.entries(version.policy ?? {}).every(([name, value]) => {
    if (JSON.stringify(value) === JSON.stringify(start.policy?.[name])) return true;
    const allowed = Object.hasOwn(bounds, name) ? bounds[name] : undefined;
    return allowed !== undefined && typeof value === 'number' && value >= allowed.min && value <= allowed.max;
  });
}
