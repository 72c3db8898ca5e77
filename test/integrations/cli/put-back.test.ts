import { describe, expect, it } from 'vitest';
import { putBack, withoutTexts } from '../../../integrations/cli/prove/put-back.js';

const BEFORE = '# A\n\n- one\n- two\n- three\n\n## B\n\n- four\n';
const AFTER = '# A\n\n- one\n- three\n';
const versions = { before: BEFORE, after: AFTER };

describe('putBack', () => {
  it('puts removed lines back to their places, also into a text that was edited elsewhere', () => {
    expect(putBack(AFTER, versions, 'x.md')).toBe(BEFORE);
    expect(putBack(`Intro.\n${AFTER}- new\n`, versions, 'x.md')).toBe(
      '# A\n\n- one\n- two\n- three\n\n## B\n\n- four\n- new\n'.replace('# A', 'Intro.\n# A'),
    );
  });

  it('puts nothing back twice', () => {
    expect(putBack(BEFORE, versions, 'x.md')).toBe(BEFORE);
  });

  it('says which line it cannot place, and changes nothing', () => {
    expect(() => putBack('other\n', versions, 'x.md')).toThrow(
      'x.md was edited where "- two" was: put it back by hand',
    );
  });
});

describe('withoutTexts', () => {
  it('removes parts that are in the text exactly once, and otherwise nothing', () => {
    expect(withoutTexts(BEFORE, [{ text: '- two\n' }], 'x.md')).toBe(BEFORE.replace('- two\n', ''));
    expect(() => withoutTexts(BEFORE, [{ text: '- five\n' }], 'x.md')).toThrow(/"- five" is not in it exactly once/);
  });
});
