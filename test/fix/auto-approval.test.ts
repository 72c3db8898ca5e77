import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { type AutoApproval, approvesItself, readAutoApproval } from '../../src/fix/auto-approval.js';
import { ruleChange, someFix, somePattern } from './fixtures.js';

const STATED: AutoApproval = { confidenceAtLeast: 0.6, severityAtMost: 'medium', files: ['AGENTS'], names: ['deploy'] };

interface Asked {
  readonly text?: string;
  readonly fix?: Partial<Fix>;
  readonly pattern?: Partial<Pattern>;
  readonly stated?: AutoApproval | undefined;
  readonly isWritable?: boolean;
}

function approval({ text, fix = {}, pattern = {}, isWritable = true, ...more }: Asked) {
  const rule = someFix(ruleChange(text === undefined ? {} : { text }), { confidence: 0.6, ...fix });
  const stated = 'stated' in more ? more.stated : STATED;
  return approvesItself(rule, somePattern(pattern), stated, (file) => isWritable && file === 'AGENTS');
}

describe('a rule goes on trial without a person', () => {
  it.for<[string, Asked]>([
    ['at the stated confidence and severity', {}],
    ['above them', { fix: { confidence: 0.9 }, pattern: { severity: 'low' } }],
    ['if it quotes a declared name', { text: 'When you work on “deploy”, read the notes first.' }],
    ['if no rule contradicts it', { fix: { contradicts: [] } }],
  ])('%s', ([, asked]) => {
    expect(approval(asked)).toMatch(/^auto-approval: confidence 0\.[69] of at least 0\.6, severity /);
  });

  it('with the numbers and the file in the reason', () => {
    expect(approval({})).toBe(
      'auto-approval: confidence 0.6 of at least 0.6, severity medium of at most medium, for AGENTS',
    );
  });

  it.for<[string, Asked]>([
    ['nothing was stated', { stated: undefined }],
    ['it is less sure', { fix: { confidence: 0.59 } }],
    ['its confidence is unknown', { fix: { confidence: undefined as never } }],
    ['its failures are more severe', { pattern: { severity: 'high' } }],
    ['another rule of the file says the opposite', { fix: { contradicts: ['Never compare totals.'] } }],
    ['a model worded it', { fix: { wordedBy: 'haiku' } }],
    ['its file is not one of those stated', { stated: { ...STATED, files: ['TOOLS'] } }],
    ['its file cannot be written', { isWritable: false }],
    ['it quotes an undeclared name', { text: 'When you work on “delete”, read the notes first.' }],
    ['it quotes one more name', { text: 'When “deploy” and “delete” fail, read the notes first.' }],
    ['its quotation does not end', { text: 'When you work on “deploy and delete, read the notes first.' }],
    [
      'no names were declared',
      {
        text: 'When you work on “deploy”, read the notes first.',
        stated: { confidenceAtLeast: 0.6, severityAtMost: 'medium', files: ['AGENTS'] },
      },
    ],
  ])('but not if %s', ([, asked]) => {
    expect(approval(asked)).toBeUndefined();
  });

  it('but not if its pattern has left the window', () => {
    expect(approvesItself(someFix(ruleChange(), { confidence: 1 }), undefined, STATED, () => true)).toBeUndefined();
  });
});

describe('the criteria of auto-approval', () => {
  it('are copied, and may name no task', () => {
    const { names: _, ...bare } = STATED;
    const read = readAutoApproval(bare);
    expect(read).toEqual({ ...bare, names: [] });
    expect(read?.files).not.toBe(bare.files);
    expect(readAutoApproval({ ...STATED, confidenceAtLeast: 0 })).toMatchObject({ confidenceAtLeast: 0 });
    expect(readAutoApproval({ ...STATED, confidenceAtLeast: 1 })).toMatchObject({ names: ['deploy'] });
    expect(readAutoApproval(undefined)).toBeUndefined();
  });

  it.for<[object, string]>([
    [{ confidenceAtLeast: -0.1 }, 'autoApprove.confidenceAtLeast is -0.1: give 0 to 1'],
    [{ confidenceAtLeast: 1.1 }, 'autoApprove.confidenceAtLeast is 1.1: give 0 to 1'],
    [{ confidenceAtLeast: undefined }, 'autoApprove.confidenceAtLeast is undefined: give 0 to 1'],
    [{ severityAtMost: 'mild' }, 'autoApprove.severityAtMost is "mild": give low, medium, high, critical'],
    [{ confidenceAtLeast: Number.NaN }, 'autoApprove.confidenceAtLeast is NaN: give 0 to 1'],
    [{ files: 'AGENTS' }, 'autoApprove.files is "AGENTS": give a list of names of files, such as ["TOOLS"]'],
    [{ files: ['AGENTS', 4] }, 'autoApprove.files[1] is 4: give names of files, such as ["TOOLS"]'],
    [{ names: 'deploy' }, 'autoApprove.names is "deploy": give a list of tasks and tools, such as ["search_docs"]'],
    [{ names: [{}] }, 'autoApprove.names[0] is an object: give tasks and tools'],
  ])('reject %j', ([wrong, message]) => {
    expect(() => readAutoApproval({ ...STATED, ...wrong })).toThrow(message);
  });
});
