import type { Page } from 'playwright-core';

/** Traces that attacks can leave in a page. */
export interface AttacksFound {
  readonly executed: unknown;
  /** Elements that the page never creates. */
  readonly elements: number;
  readonly headings: number;
  /** Links to other places than the page. */
  readonly links: number;
  /** Attributes that run code. */
  readonly handlers: number;
  /** Pixels that the page is wider than its window. */
  readonly excess: number;
}

export const NO_ATTACKS: AttacksFound = {
  executed: undefined,
  elements: 0,
  headings: 1,
  links: 0,
  handlers: 0,
  excess: 0,
};

export function attacksFound(page: Page): Promise<AttacksFound> {
  return page.evaluate(() => ({
    executed: Reflect.get(globalThis, 'executed'),
    elements: document.querySelectorAll(
      '#page :is(script, iframe, img, object, embed, style, link, video, math, form[action], i, b, marquee)',
    ).length,
    headings: document.querySelectorAll('h1').length,
    links: [...document.querySelectorAll('a')].filter(({ href }) => !href.startsWith(document.baseURI)).length,
    handlers: [...document.querySelectorAll('*')].filter((one) =>
      one.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    excess: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  }));
}
