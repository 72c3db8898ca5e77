import type { Variant } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { assemble, type Part, partId } from '../../../integrations/improve/combine.js';
import { merged } from '../../../integrations/improve/version.js';

const START: Variant = { prompts: { system: 'Be kind.' }, policy: { retries: 1 } };
const part = (change: Variant, before: Variant = START): Part => {
  const after = merged(before, change);
  return { id: partId(before, after), hypothesis: 'it helps', before, after };
};
const fresh = { variant: START, parts: [] };

const units = part({ prompts: { system: 'Be kind. Check units.' } });
const sources = part({ prompts: { system: 'Be kind. Cite sources.' } });
const rude = part({ prompts: { system: 'Be rude.' } });
const retries = part({ policy: { retries: 3 } });

describe('changes of one version', () => {
  it('are combined by sentences, settings and files', () => {
    const file = part({ code: { 'a.js': 'x' } });
    const { variant, parts } = assemble(fresh, [units, sources, retries, file]);
    expect(variant).toEqual({
      prompts: { system: 'Be kind. Check units. Cite sources.' },
      policy: { retries: 3 },
      code: { 'a.js': 'x' },
    });
    expect(parts).toEqual([units, sources, retries, file].map(({ id }) => id));
  });

  it('leave out what conflicts with an earlier one, and what changes nothing', () => {
    const more = part({ policy: { retries: 5 } });
    const { variant, parts } = assemble(fresh, [rude, part({ prompts: { system: 'Be polite.' } }), retries, more]);
    expect(variant).toEqual({ prompts: { system: 'Be rude.' }, policy: { retries: 3 } });
    expect(parts).toEqual([rude.id, retries.id]);
    expect(assemble(fresh, [part({ prompts: { system: 'Be kind.' } })])).toEqual(fresh);
  });

  it('wait for the change that they build on', () => {
    const ruder = part({ prompts: { system: 'Be very rude.' } }, rude.after);
    expect(assemble(fresh, [ruder]).parts).toEqual([]);
    const { variant, parts } = assemble(fresh, [ruder, rude]);
    expect(variant.prompts).toEqual({ system: 'Be very rude.' });
    expect(parts).toEqual([rude.id, ruder.id]);
  });

  it('do not combine texts that are unknown at the start: each is another whole text', () => {
    const [one, two] = ['Be careful.', 'Be quick.'].map((system) => part({ prompts: { system } }, {}));
    expect(assemble({ variant: {}, parts: [] }, [one, two] as Part[]).variant.prompts).toEqual({
      system: 'Be careful.',
    });
  });
});

it('recognises a change that is proposed again for another version', () => {
  const again = part({ prompts: { system: 'Be kind. Cite sources. Check units.' } }, sources.after);
  expect(again.id).toBe(units.id);
  expect(new Set([units, sources, rude, retries].map(({ id }) => id)).size).toBe(4);
});
