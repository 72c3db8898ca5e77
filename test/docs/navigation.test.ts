import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../site/navigation.js';
import { PAGES } from './code-blocks.js';

describe('the navigation of the documentation site', () => {
  const shown = SECTIONS.flatMap(({ entries }) => entries.map(([, page]) => `docs/${page}.md`));

  it('has every page of docs/ once, and no other', () => {
    const pages = PAGES.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'));
    expect([...shown].sort()).toEqual([...pages].sort());
  });
});
