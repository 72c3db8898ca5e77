import { describe, expect, it } from 'vitest';
import { excludedBy, scopeCovers, scopesOverlap } from '../../src/contract/scope.js';

const GERMAN = { 'feature.language': 'de' };

describe('the scope of a fix', () => {
  it('covers the tasks with the feature that it names', () => {
    const scope = { task: 'ask', ...GERMAN };
    expect(scopeCovers(scope, { task: 'ask', ...GERMAN, 'feature.length': 'long' })).toBe(true);
    expect(scopeCovers(scope, { task: 'ask', 'feature.language': 'en' })).toBe(false);
    expect(scopeCovers(scope, { task: 'ask' })).toBe(false);
    expect(scopeCovers({ task: 'ask' }, { task: 'ask', ...GERMAN })).toBe(true);
  });

  it('leaves out the tasks with a feature that it excludes, and names that exclusion', () => {
    const scope = { task: 'ask', except: [GERMAN] };
    expect(scopeCovers(scope, { task: 'ask', ...GERMAN })).toBe(false);
    expect(scopeCovers(scope, { task: 'ask', 'feature.language': 'en' })).toBe(true);
    expect(excludedBy(scope, { task: 'ask', ...GERMAN })).toEqual(GERMAN);
    expect(excludedBy(scope, { task: 'ask' })).toBeUndefined();
    expect(excludedBy(scope, { task: 'other', ...GERMAN })).toBeUndefined();
  });

  it('overlaps another one unless a field differs', () => {
    expect(scopesOverlap({ task: 'ask', ...GERMAN }, { task: 'ask' })).toBe(true);
    expect(scopesOverlap({ task: 'ask', ...GERMAN }, { 'feature.language': 'en' })).toBe(false);
    expect(scopesOverlap({ task: 'ask' }, { task: 'other' })).toBe(false);
  });
});
