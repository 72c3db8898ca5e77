import type { CodeProjectOptions } from 'rsi-loop/improve';
import { custom, flag, number, object, path } from '../check-config.js';

/** Repository whose code `rsi improve` may change after a person approved it. */
export interface ImproveSection {
  readonly project?: Omit<CodeProjectOptions, 'clock' | 'limits'>;
}

const patterns = custom("a list of patterns, such as ['src/**']", isTexts);
const command = custom("a command as a list, such as ['node', '--test']: no shell reads it", isTexts);

export const improveCheck = object<ImproveSection>({
  project: object<NonNullable<ImproveSection['project']>>({
    folder: path('the root of a git repository'),
    allow: patterns,
    protect: patterns,
    hide: patterns,
    test: command,
    check: command,
    allowFailing: flag(),
    maxLines: number('a whole number from 1', { min: 1, whole: true }),
    maxFiles: number('a whole number from 1', { min: 1, whole: true }),
    unsafe: flag(),
  }),
});

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== '');
}
