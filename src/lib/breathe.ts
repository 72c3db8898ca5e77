/** Longer work is cut into pieces of so many records, a millisecond or two each, with a `breathe` between them. */
export const RECORDS_PER_BREATH = 250;

/** Lets everything else that waits in this process have its turn; promises alone never do. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
