import { describe, expect, it } from 'vitest';
import { modelNames, shortChange, shortModel } from '../../../../integrations/dashboard/page/lib/model-name.js';

describe('the name of a model', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'anthropic.claude-3-5-sonnet-v2:0'],
    ['claude-haiku', 'claude-haiku'],
    ['model-20251399', 'model-20251399'],
  ])('is shown without its date: %s', (name, short) => {
    expect(shortModel(name)).toBe(short);
  });

  it('keeps its date beside another one that differs by the date only', () => {
    const nameOf = modelNames(['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06', 'claude-opus-4-5-20251101']);
    expect(nameOf('gpt-4o-2024-08-06')).toBe('gpt-4o-2024-08-06');
    expect(nameOf('claude-opus-4-5-20251101')).toBe('claude-opus-4-5');
    expect(shortChange('Bash: gpt-4o-2024-05-13 -> gpt-4o-2024-08-06')).toBe(
      'Bash: gpt-4o-2024-05-13 -> gpt-4o-2024-08-06',
    );
    expect(shortChange('Bash: claude-opus-4-5-20251101 -> gpt-5')).toBe('Bash: claude-opus-4-5 → gpt-5');
  });
});
