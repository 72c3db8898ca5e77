import { describe, expect, it } from 'vitest';
import { classifyError } from '../../src/classify/classify-error.js';
import { isKnownClass, isPermanent } from '../../src/fix/known-class.js';
import { somePattern } from './fixtures.js';

/** A sentence that only speaks of the topic of rate limits, connections and so on: its class is a guess. */
const GUESS = 'the peer was odd';

describe('the class of a pattern', () => {
  it('is known from 0.7 on: a safe fix may follow from a sentence made for one cause', () => {
    expect(classifyError('socket hang up').confidence).toBeGreaterThanOrEqual(0.7);
    expect(isKnownClass(somePattern({ examples: ['socket hang up', 'connection refused'] }))).toBe(true);
  });

  it('is a guess if its words only name the topic', () => {
    expect(classifyError(GUESS)).toMatchObject({ issue: 'network' });
    expect(classifyError(GUESS).confidence).toBeLessThan(0.7);
    expect(isKnownClass(somePattern({ examples: [GUESS] }))).toBe(false);
  });

  it('is a guess as soon as one of its examples is one', () => {
    expect(isKnownClass(somePattern({ examples: ['socket hang up', GUESS] }))).toBe(false);
  });

  it('is known if a status, a code or the caller gave it and the words say nothing of it', () => {
    expect(isKnownClass(somePattern({ issue: 'rate_limit', examples: [GUESS] }))).toBe(true);
    expect(isKnownClass(somePattern({ issue: 'rate_limit', examples: [] }))).toBe(true);
  });

  it('stays known from the status if the words of an example only hint at the same class', () => {
    const example = 'many requests were sent';
    expect(classifyError(example)).toMatchObject({ issue: 'rate_limit' });
    expect(classifyError(example).confidence).toBeLessThan(0.7);
    expect(isKnownClass(somePattern({ issue: 'rate_limit', examples: [example] }))).toBe(false);
    expect(isKnownClass(somePattern({ issue: 'rate_limit', examples: [example], isClassKnown: true }))).toBe(true);
  });

  it('is known for what is no failure, whatever its examples say', () => {
    expect(isKnownClass(somePattern({ kind: 'slow', examples: [GUESS] }))).toBe(true);
  });
});

describe('a pattern', () => {
  const expired = 'certificate has expired';

  it('is permanent if every example says that the same call fails again', () => {
    expect(isPermanent(somePattern({ examples: [expired] }))).toBe(true);
    expect(isPermanent(somePattern({ examples: [expired, 'socket hang up'] }))).toBe(false);
  });

  it('is not permanent without an example, for another issue than its own, or if nothing failed', () => {
    expect(isPermanent(somePattern({ examples: [] }))).toBe(false);
    expect(isPermanent(somePattern({ issue: 'rate_limit', examples: [expired] }))).toBe(false);
    expect(isPermanent(somePattern({ kind: 'slow', examples: [expired] }))).toBe(false);
  });
});
