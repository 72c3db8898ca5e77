/** Returns whether a store is named by the address of a database instead of the path of a folder. */
export function isDatabase(store: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(store);
}

/** Returns the name of a store as it may be printed: an address without its password. */
export function shownStore(store: string): string {
  if (!isDatabase(store)) return store;
  return URL.canParse(store) ? withoutPassword(new URL(store)) : store.replace(/^([^/]*\/\/).*@/s, '$1');
}

function withoutPassword(url: URL): string {
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}
