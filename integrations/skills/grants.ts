import { canonical } from 'rsi-loop/kit';
import { hashOf } from 'rsi-loop/node';
import { Document } from './document.js';
import type { SandboxPermissions } from './sandbox.js';
import { asksForAccess, type SkillContent } from './skill.js';
import type { SkillFolder } from './skill-folder.js';

/** Answer of a person to the access that a skill asks for. */
export interface Grant {
  readonly granted: boolean;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** Question that waits for a person. */
export interface AccessQuestion {
  readonly name: string;
  /** Access that it asks for, one entry each. */
  readonly words: readonly string[];
  readonly atMs: number;
}

/** Answers of people, and questions that wait for one, by key. */
export class Grants {
  readonly #document: Document<{
    readonly grants: Readonly<Record<string, Grant>>;
    readonly questions: Readonly<Record<string, AccessQuestion>>;
  }>;
  #grants = new Map<string, Grant>();
  #questions = new Map<string, AccessQuestion>();

  constructor(folder: SkillFolder) {
    this.#document = new Document(folder, 'access.json', 'rsi-skill-access/1');
  }

  /** Reads what is stored, also by other processes. */
  async open(): Promise<void> {
    const { grants = {}, questions = {} } = (await this.#document.read()) ?? {};
    this.#grants = new Map(Object.entries(grants));
    this.#questions = new Map(Object.entries(questions));
  }

  of(key: string): Grant | undefined {
    return this.#grants.get(key);
  }

  /** Returns the access that a person granted to the code of a skill; none if it asks for none. */
  accessOf(skill: SkillContent): SandboxPermissions {
    if (!skill.asks || !asksForAccess(skill.asks)) return {};
    return this.of(accessKey(skill))?.granted ? skill.asks : {};
  }

  /** Returns the questions that wait for a person, by key. */
  get questions(): ReadonlyMap<string, AccessQuestion> {
    return this.#questions;
  }

  async ask(key: string, question: AccessQuestion): Promise<void> {
    await this.open();
    this.#questions.set(key, question);
    await this.#write();
  }

  async set(key: string, grant: Grant): Promise<void> {
    await this.open();
    this.#grants.set(key, grant);
    this.#questions.delete(key);
    await this.#write();
  }

  #write(): Promise<void> {
    return this.#document.write({
      grants: Object.fromEntries(this.#grants),
      questions: Object.fromEntries(this.#questions),
    });
  }
}

/**
 * Returns the key that a grant is bound to: the code and the access. Other code, or more access, asks again. While
 * learning, there is no code yet, so that a grant holds for the drafts of one directive: `directive` names it.
 */
export function accessKey(content: SkillContent, directive?: string): string {
  const { name, asks, code } = content;
  if (directive !== undefined) return `learning ${name} ${JSON.stringify(asks ?? {})} ${directive}`;
  return hashOf(canonical([name, code ? [code.language, hashOf(code.text)] : null, asks ?? null]));
}
