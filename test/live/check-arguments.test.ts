import { describe, expect, it } from 'vitest';
import { checkAnswer, checkHandler } from '../../src/live/check-arguments.js';

describe('the answer of a person', () => {
  it('needs a name, and keeps a reason if there is one', () => {
    expect(checkAnswer('approve', { by: 'ada' })).toStrictEqual({ by: 'ada' });
    expect(checkAnswer('approve', { by: 'ada', reason: 'seen' })).toStrictEqual({ by: 'ada', reason: 'seen' });
    for (const answer of [undefined, null, 'ada', {}, { by: '' }, { by: 7 }, []]) {
      expect(() => checkAnswer('approve', answer)).toThrow(
        'approve needs to know who decides: loop.approve(id, { by: "your name", reason: "..." })',
      );
    }
    expect(() => checkAnswer('reject', { by: 'ada', reason: 7 })).toThrow('reason of reject is 7: give a text');
  });

  it('is redacted and truncated before it is stored', () => {
    const secret = `ghp_${'aZ3k9Q'.repeat(6)}`;
    const { by, reason = '' } = checkAnswer('approve', { by: `ada ${secret} ${'x'.repeat(999)}`, reason: secret });
    expect(by + reason).not.toContain(secret);
    expect(by.length).toBeLessThanOrEqual(200);
  });
});

describe('the arguments of on()', () => {
  it('are an event that exists and a function', () => {
    expect(checkHandler('verdict', () => {})).toBeUndefined();
    expect(() => checkHandler('verdit', () => {})).toThrow('no event is called "verdit": did you mean verdict?');
    expect(() => checkHandler('colour of the sky', () => {})).toThrow('": use one of ');
    expect(() => checkHandler(7, () => {})).toThrow('no event is called 7: use one of ');
    expect(() => checkHandler('verdict', 'print')).toThrow('the handler of verdict is "print": give a function');
  });
});
