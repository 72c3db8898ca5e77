import { type CatalogEntry, checkEntry } from './candidate.js';

/** Catalog entries of the host, the newest first. They take precedence over the built-in ones. */
export class HostCatalog {
  readonly entries: CatalogEntry[] = [];

  /**
   * Adds an entry.
   * @throws LoopError `invalid-input` if it is not one.
   */
  register(entry: CatalogEntry): void {
    checkEntry(entry);
    this.entries.unshift(entry);
  }
}
