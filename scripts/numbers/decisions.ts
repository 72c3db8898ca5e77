/** Returns the numbers of decisions that a text names, with four digits. Links to their pages are not read. */
export function decisionsNamedIn(text: string): readonly string[] {
  const shown = text.replaceAll(/\]\([^)]*\)/g, ']');
  return [...shown.matchAll(/\bdecisions?[\s*]+(\d{2,4})\b(?! ?%)/gi)].map(([, number = '']) =>
    number.padStart(4, '0'),
  );
}

/** Returns the numbers of decisions that a page of `docs/decisions` describes in its headings. */
export function decisionsDescribedIn(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (\d{4})\b/gm)].map(([, number = '']) => number);
}

/** Returns whether a page is for users: docs that are neither decisions nor for contributors. */
export function isUserPage(page: string): boolean {
  return /^(docs\/.*|README|CHANGELOG)(\.md)?$/.test(page) && !page.startsWith('docs/decisions/');
}
