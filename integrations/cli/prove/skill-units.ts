import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { namesDanger, tokensOf, withinLimits } from 'rsi-loop/prove';
import { readFrontMatter } from 'rsi-loop/skills/core';
import { shortPath } from '../terminal/short-path.js';
import { ON_TRIAL, SKILL_FILE } from './on-trial.js';

/** Skill of a folder that an agent reads. */
export interface SkillUnit {
  readonly name: string;
  /** Words that say when to use it; sessions read these, and the rest only if they use it. */
  readonly text: string;
  /** Estimate for name and description. */
  readonly tokens: number;
  /** Line that a session gets during a study. */
  readonly line: string;
  /** Why every session gets it; absent if it may be left out. */
  readonly kept?: SkillKept;
}

type SkillKept = 'marked' | 'safety' | 'structure' | 'limit';

const MAX_TRIED = 40;
const MAX_BYTES = 1_048_576;
const KEEP = /<!--\s*keep\s*-->/i;

/** Folder of skills that a person named. */
export class SkillsFolder {
  /** Absolute, without links in the folders above. */
  readonly path: string;
  /** As a person types it. */
  readonly shown: string;

  /** @throws LoopError `invalid-input` if it is a link: its skills may belong to something else. */
  constructor(given: string) {
    const whole = resolve(given);
    this.shown = shortPath(whole);
    if (lstatSync(whole).isSymbolicLink())
      throw new LoopError('invalid-input', `${this.shown} is a link: name the folder itself`);
    this.path = join(realpathSync(dirname(whole)), whole.slice(dirname(whole).length).replace(/^[\\/]/, ''));
  }

  /** Returns the skills of the folder by name, and why some stay in every session. */
  read({ withSafety, maxCharacters }: ReadSkillsOptions): readonly SkillUnit[] {
    const names = readdirSync(this.path).filter((name) => !name.startsWith('.') && this.#has(name));
    const skills = names.sort().map((name) => this.#skill(name, withSafety === true));
    // The limit of characters concerns the lines that sessions get.
    const lines = withinLimits(
      skills.map(({ line: text, tokens, kept }) => ({ text, tokens, ...(kept && { kept }) })),
      MAX_TRIED,
      maxCharacters,
    );
    return skills.map((skill, at) => {
      const kept = lines[at]?.kept;
      return kept === undefined ? skill : { ...skill, kept };
    });
  }

  #has(name: string): boolean {
    return statSync(join(this.path, name, SKILL_FILE), { throwIfNoEntry: false })?.isFile() === true;
  }

  #skill(name: string, withSafety: boolean): SkillUnit {
    const file = join(this.path, name, SKILL_FILE);
    const text = isOwn(join(this.path, name)) && isOwn(file) ? readText(file) : undefined;
    const { description, kept } = text === undefined ? UNREADABLE : describe(text, withSafety);
    const about = `${name}${description === '' ? '' : `: ${description}`}`;
    const line = `- ${about} File: ${join(this.path, name, ON_TRIAL)}`;
    return { name, text: about, tokens: tokensOf(about), line, ...(kept && { kept }) };
  }
}

interface ReadSkillsOptions {
  readonly withSafety?: boolean;
  readonly maxCharacters: number;
}

const UNREADABLE = { description: '', kept: 'structure' } as const;

function describe(text: string, withSafety: boolean): { readonly description: string; readonly kept?: SkillKept } {
  try {
    const { description, fields } = readFrontMatter(text);
    const about = description.replace(/\s+/g, ' ');
    if (KEEP.test(text)) return { description: about, kept: 'marked' };
    // Only a person calls such a skill, by its name.
    if (fields['disable-model-invocation'] === true) return { description: about, kept: 'structure' };
    return !withSafety && namesDanger(about) ? { description: about, kept: 'safety' } : { description: about };
  } catch {
    return UNREADABLE;
  }
}

/** Whether the file or folder itself is here, and not a link to another place. */
function isOwn(path: string): boolean {
  return !lstatSync(path).isSymbolicLink();
}

function readText(path: string): string | undefined {
  if (statSync(path).size > MAX_BYTES) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}
