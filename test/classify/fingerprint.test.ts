import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/classify/fingerprint.js';

describe('fingerprint', () => {
  it('is the same for messages that differ in numbers, ids and paths only', () => {
    expect(fingerprint('open /srv/a/1.json failed after 20 ms')).toBe(fingerprint('open /tmp/b failed after 7 ms'));
  });

  it('differs when a word differs', () => {
    expect(fingerprint('socket closed by peer')).not.toBe(fingerprint('socket opened by peer'));
  });

  it('answers for anything that is not a string', () => {
    for (const odd of [undefined, null, 7, {}, Symbol('x')]) {
      // The type forbids it; callers in plain JavaScript do it all the same.
      expect(fingerprint(odd as unknown as string)).toMatch(/^[0-9a-f]{16}$/);
    }
  });
});
