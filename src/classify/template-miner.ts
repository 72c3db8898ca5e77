import { MAX_CHARACTERS, readSignature, signatureHex } from './signature.js';

export interface TemplateMinerOptions {
  /** Groups kept; past it the one unused for longest is forgotten. Default 10,000. */
  readonly maxGroups?: number;
  /**
   * Says what must stay apart however alike it reads, e.g. the category of an error. Called only for wordings not seen
   * before; groups with different answers are never merged.
   */
  readonly separate?: (message: string) => string;
}

export interface MinedMessage {
  /** The group: the fingerprint of its first member. Never changes. */
  readonly id: string;
  /** The message with its variable parts as `<*>`. */
  readonly template: string;
  /** This message opened the group. */
  readonly isNew: boolean;
}

/** Everything a miner knows, as plain JSON. */
export interface MinerSnapshot {
  readonly version: 1;
  /** Least recently used first. */
  readonly groups: readonly { readonly id: string; readonly template: string }[];
  /** Fingerprints that belong to a group with another id. */
  readonly aliases: readonly (readonly [string, string])[];
}

/** Puts messages that differ only in their variable parts into one group. */
export class TemplateMiner {
  readonly #maxGroups: number;
  readonly #groups = new Map<string, MinedMessage>();
  readonly #aliases = new Map<string, string>();

  constructor(options: TemplateMinerOptions = {}) {
    this.#maxGroups = options.maxGroups ?? 10_000;
  }

  /** Fingerprints and former ids that now belong to the group named by the value. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  add(message: string): MinedMessage {
    const id = signatureHex(readSignature(message));
    const known = this.#groups.get(id);
    if (known) return known;
    const template = templateOf(message);
    this.#groups.set(id, { id, template, isNew: false });
    if (this.#groups.size > this.#maxGroups)
      for (const oldest of this.#groups.keys()) {
        this.#groups.delete(oldest);
        break;
      }
    return { id, template, isNew: true };
  }

  snapshot(): MinerSnapshot {
    return {
      version: 1,
      groups: [...this.#groups.values()].map(({ id, template }) => ({ id, template })),
      aliases: [...this.#aliases],
    };
  }

  /** Goes on where the miner that made the snapshot stopped; what was known here before is forgotten. */
  restore(snapshot: MinerSnapshot): void {
    this.#groups.clear();
    this.#aliases.clear();
    for (const { id, template } of snapshot.groups) this.#groups.set(id, { id, template, isNew: false });
    for (const [from, to] of snapshot.aliases) this.#aliases.set(from, to);
  }
}

function templateOf(message: string): string {
  if (typeof message !== 'string') return '';
  let template = '';
  let at = 0;
  let afterVariable = false;
  readSignature(message, (start, end, variable) => {
    if (variable && afterVariable) at = end;
    else {
      template += message.slice(at, start) + (variable ? '<*>' : message.slice(start, end));
      at = end;
    }
    afterVariable = variable;
  });
  return template + message.slice(at, MAX_CHARACTERS);
}
