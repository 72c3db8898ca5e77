import { describe, expect, it } from 'vitest';
import { mergeTexts, textChange } from '../../../integrations/improve/merge-texts.js';

const BASE = 'You are kind. Answer in English.\nBe brief.';

describe('two changes of the same text', () => {
  it('are both in the result if they change different sentences', () => {
    const long = BASE.replace('Be brief.', 'Be long.');
    expect(mergeTexts(BASE, long, BASE.replace('kind', 'polite'))).toBe('You are polite. Answer in English.\nBe long.');
    expect(mergeTexts(BASE, BASE.replace('\nBe brief.', ''), `Hello. ${BASE}`)).toBe(
      'Hello. You are kind. Answer in English.',
    );
  });

  it('are both added at the same place, the first one first, and once if they are equal', () => {
    expect(mergeTexts(BASE, `${BASE} Cite sources.`, `${BASE} Check units.`)).toBe(
      `${BASE} Cite sources. Check units.`,
    );
    expect(mergeTexts(BASE, `${BASE} Cite sources.`, `${BASE} Cite sources. Check units.`)).toBe(
      `${BASE} Cite sources. Check units.`,
    );
    expect(mergeTexts(BASE, `${BASE} Check units.`, `${BASE} Check units.`)).toBe(`${BASE} Check units.`);
    expect(mergeTexts('', 'Be kind.', 'Be quick.'), 'no two sentences touch').toBe('Be kind.\nBe quick.');
  });

  it('conflict if they change the same sentence', () => {
    expect(mergeTexts(BASE, BASE.replace('brief', 'long'), BASE.replace('brief', 'funny'))).toBeUndefined();
  });

  it('leave a text that only one of them changes', () => {
    expect(mergeTexts(BASE, BASE, 'Other.')).toBe('Other.');
    expect(mergeTexts(BASE, 'Other.', BASE)).toBe('Other.');
  });

  it('keep every line of code', () => {
    const code = 'const a = 1;\n\nexport function f(x) {\n  return x.y + a;\n}\n';
    const merged = mergeTexts(code, code.replace('a = 1', 'a = 2'), code.replace('x.y', 'x.z'));
    expect(merged).toBe('const a = 2;\n\nexport function f(x) {\n  return x.z + a;\n}\n');
  });
});

it('names the same change of two texts alike', () => {
  expect(textChange(BASE, `${BASE} Check units.`)).toEqual(['+Check units.']);
  expect(textChange('Other.', 'Other.\nCheck units.')).toEqual(['+Check units.']);
  expect(textChange(BASE, BASE.replace(' Answer in English.', ''))).toEqual(['-Answer in English.']);
});
