/** Longer work is cut into pieces of so many records at most, with a `breathe` between them. */
export const RECORDS_PER_BREATH = 250;
/** A piece that took so long is long enough: code that runs for the first time takes ten times as long as later. */
export const MS_PER_BREATH = 2;

/** Lets everything else that waits in this process have its turn; promises alone never do. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
