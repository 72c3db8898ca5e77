import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../site/navigation.js';
import { PAGES } from './code-blocks.js';

describe('the navigation of the documentation site', () => {
  const shown = SECTIONS.flatMap(({ entries }) => entries.map(([, page]) => `docs/${page}.md`));

  it('names pages that exist, each once', () => {
    expect(shown.filter((page) => !PAGES.includes(page))).toEqual([]);
    expect(new Set(shown).size).toBe(shown.length);
  });
});
