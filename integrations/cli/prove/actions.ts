import { LoopError } from 'rsi-loop';
import type { StudyReport } from 'rsi-loop/prove';
import { counted } from '../../reports/words/numbers.js';
import type { NamedFile } from './change-file.js';
import type { PlanRow } from './render-prove.js';
import type { SkillSteps } from './skill-steps.js';
import type { SkillsFolder } from './skill-units.js';
import type { FileSteps, StartOptions, StudyState } from './steps.js';

export const ACTIONS = ['start', 'stop', 'apply', 'undo'] as const;
export type Action = (typeof ACTIONS)[number];

/** Sentence for a person, and fields for the JSON document. */
export interface Done {
  readonly text: string;
  readonly about: object;
}

/** Newest study of a file or of a folder of skills, with its result. */
export interface Found {
  readonly state: StudyState;
  readonly counts: StartOptions['counts'];
  readonly kept: readonly PlanRow[];
  readonly report: StudyReport;
}

/** Actions of `rsi prove` on one thing that a person named. */
export interface Actions {
  readonly shown: string;
  readonly part: 'line' | 'skill';
  find(): Promise<Found | undefined>;
  plan(options: StartOptions): Promise<readonly PlanRow[]>;
  /** Runs an action. `store` is the folder of the loop as a person types it. */
  act(action: Action, options: StartOptions, store: string): Promise<Done>;
}

/** Actions on a Markdown file, whose parts are lines. */
export class FileActions implements Actions {
  readonly shown: string;
  readonly part = 'line';
  readonly #steps: FileSteps;

  constructor({ shown }: NamedFile, steps: FileSteps) {
    this.shown = shown;
    this.#steps = steps;
  }

  async find(): Promise<Found | undefined> {
    const found = await this.#steps.find();
    if (!found) return undefined;
    const { study, state } = found;
    const kept = study.lines.filter((line) => line.kept !== undefined);
    return { state, counts: study.counts, kept, report: await this.#steps.report(study) };
  }

  plan(options: StartOptions): Promise<readonly PlanRow[]> {
    return this.#steps.plan(options);
  }

  async act(action: Action, options: StartOptions, store: string): Promise<Done> {
    const { shown } = this;
    switch (action) {
      case 'start': {
        const { lines } = await this.#steps.start(options);
        const about = triedOf(lines);
        const text = `${counted(about.tried, 'line')} of ${shown} moved to ${store}. Sessions that begin in its folder get a random part of them. Do not commit ${shown} before --stop: your colleagues would get a file without these lines.`;
        return { text, about };
      }
      case 'stop': {
        const { isExact, added } = await this.#steps.stop();
        const state = isExact ? 'is as it was, to the byte' : 'holds all lines again, with your edits';
        const lost = `; ${counted(added.length, 'part')} had no marker left and ${added.length === 1 ? 'is' : 'are'} at its end`;
        return { text: `${shown} ${state}${added.length > 0 ? lost : ''}`, about: { isExact, added: added.length } };
      }
      case 'apply': {
        const removed = await this.#steps.apply();
        if (removed.length === 0) return nothing(`no line of ${shown}`);
        return {
          text: `${counted(removed.length, 'line')} removed from ${shown}; --undo puts them back`,
          about: { removed },
        };
      }
      case 'undo': {
        const { isExact } = await this.#steps.undo();
        const text = `${shown} ${isExact ? 'is as before --apply, to the byte' : 'holds the removed lines again'}`;
        return { text, about: { isExact } };
      }
      default:
        return action satisfies never;
    }
  }
}

/** Actions on a folder of skills, whose parts are whole skills. */
export class SkillActions implements Actions {
  readonly shown: string;
  readonly part = 'skill';
  readonly #steps: SkillSteps;

  constructor({ shown }: SkillsFolder, steps: SkillSteps) {
    this.shown = shown;
    this.#steps = steps;
  }

  async find(): Promise<Found | undefined> {
    const found = this.#steps.find();
    if (!found) return undefined;
    const { study, state } = found;
    const kept = study.skills.filter((skill) => skill.kept !== undefined);
    return { state, counts: study.counts, kept, report: await this.#steps.report(study) };
  }

  async plan(options: StartOptions): Promise<readonly PlanRow[]> {
    return this.#steps.plan(options);
  }

  async act(action: Action, options: StartOptions): Promise<Done> {
    const { shown } = this;
    switch (action) {
      case 'start': {
        if (options.by === 'section')
          throw new LoopError('invalid-input', `--by section is for files, and ${shown} holds skills: leave it out`);
        const { skills } = await this.#steps.start(options);
        const about = triedOf(skills);
        const text = `${counted(about.tried, 'skill')} of ${shown} renamed to SKILL.on-trial.md. Sessions that begin in this project get a random part of them. Do not commit the new names before --stop: your colleagues would get a project without these skills.`;
        return { text, about };
      }
      case 'stop': {
        const { left } = await this.#steps.stop();
        const other = `; ${left.join(', ')} had a new SKILL.md, so the earlier one stays beside it as SKILL.on-trial.md`;
        return { text: `${shown} holds its skills again${left.length > 0 ? other : ''}`, about: { left } };
      }
      case 'apply': {
        const removed = await this.#steps.apply();
        if (removed.length === 0) return nothing(`no skill of ${shown}`);
        const text = `${counted(removed.length, 'skill')} removed from ${shown}: ${removed.join(', ')}. Agents do not find SKILL.removed.md; --undo renames it back.`;
        return { text, about: { removed } };
      }
      case 'undo': {
        const names = await this.#steps.undo();
        return { text: `${shown} holds ${names.join(', ')} again`, about: { restored: names } };
      }
      default:
        return action satisfies never;
    }
  }
}

function triedOf(parts: readonly PlanRow[]): { readonly tried: number; readonly kept: number } {
  const tried = parts.filter(({ kept }) => kept === undefined).length;
  return { tried, kept: parts.length - tried };
}

function nothing(part: string): Done {
  return { text: `${part} is known to harm: nothing was changed`, about: { removed: [] } };
}
