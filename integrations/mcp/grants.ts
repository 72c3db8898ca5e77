import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';

/** Decisions that an agent may carry out with the grant of a person. */
export const GRANTED = ['approve', 'reject', 'rollback'] as const;
export type GrantedVerb = (typeof GRANTED)[number];

/** Decision on one fix that a person allows an agent to carry out, once. */
export interface Grant {
  readonly verb: GrantedVerb;
  readonly fixId: string;
  /** Name of the person. */
  readonly by: string;
  /** Time after which it is void, epoch milliseconds. */
  readonly untilMs: number;
}

/** Time that a grant lasts. */
const LASTS_MS = 3_600_000;
const CODE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Grants in the folder of a loop, one file each. The name of a file is the hash of its code, so reading the folder does not
 * give the code. Removing the file uses the grant: of two callers, one succeeds.
 */
export class Grants {
  readonly #folder: string;

  constructor(store: string) {
    this.#folder = join(store, 'mcp', 'grants');
  }

  /** Creates a grant and returns its code, which is stored nowhere. */
  give(grant: Omit<Grant, 'untilMs'>, nowMs: number): string {
    const code = randomBytes(16).toString('base64url');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ ...grant, untilMs: nowMs + LASTS_MS } satisfies Grant);
    writeFileSync(this.#path(code), text, { flag: 'wx', mode: 0o600 });
    return code;
  }

  /**
   * Uses a grant, and returns the name of the person who gave it.
   * @throws LoopError `invalid-input` if the code is unknown, used, void, or of another decision.
   */
  use(code: string, wanted: Pick<Grant, 'verb' | 'fixId'>, nowMs: number): string {
    const grant = CODE.test(code) ? this.#read(code) : undefined;
    if (grant === undefined) throw new LoopError('invalid-input', `this grant is unknown or used: ${HOW(wanted)}`);
    if (grant.verb !== wanted.verb || grant.fixId !== wanted.fixId)
      throw new LoopError('invalid-input', `this grant is for ${grant.verb} ${grant.fixId}: ${HOW(wanted)}`);
    unlinkSync(this.#path(code));
    if (nowMs > grant.untilMs) throw new LoopError('invalid-input', `this grant was valid for an hour: ${HOW(wanted)}`);
    return grant.by;
  }

  #read(code: string): Grant | undefined {
    try {
      return JSON.parse(readFileSync(this.#path(code), 'utf8')) as Grant; // written by `give`, in a folder of this user
    } catch {
      return undefined;
    }
  }

  #path(code: string): string {
    return join(this.#folder, `${createHash('sha256').update(code).digest('hex')}.json`);
  }
}

const HOW = ({ verb, fixId }: Pick<Grant, 'verb' | 'fixId'>) =>
  `a person gives one with "rsi mcp grant ${verb} ${fixId}"`;
