/** Reads a choice of the reader that this browser keeps. Browsers may forbid the storage. */
export function keptChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(`rsi.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepChoice(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`rsi.${name}`);
    else localStorage.setItem(`rsi.${name}`, value);
  } catch {
    // The choice then holds until the page is closed.
  }
}
