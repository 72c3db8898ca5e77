import type { RSILoop } from 'rsi-loop';
import { LoopError, type Model } from 'rsi-loop';
import type { CodeProject, Command } from 'rsi-loop/improve';
import { type LoopHandle, showValue } from 'rsi-loop/kit';
import type { Incident, Repair } from './incident.js';
import { POWERS, type Power } from './powers.js';

/** Loop that calls of healed functions are tasks of. Every `RSILoop` is one. */
export type HealingLoop = LoopHandle & { readonly run: RSILoop['run'] };

/** Options of `heal`. */
export interface HealOptions {
  readonly loop: HealingLoop;
  /** Name of the task. Default: the name of the function. */
  readonly task?: string;
  /**
   * Whether a call may be made again after a transient failure, as often as the policy of the loop says. Only for
   * functions that return promises. Default: what the loop knows about the task.
   */
  readonly repeatable?: boolean;
  /** Asks for a patch after a failure that a change of code can mend. Default: failures are captured only. */
  readonly patch?: PatchOptions;
  /** Called for each captured failure. */
  readonly onIncident?: (incident: Incident) => void;
  /** Called with the end of each repair. */
  readonly onRepair?: (repair: Repair) => void;
}

/** Options of patches for failing functions. */
export interface PatchOptions {
  readonly model: Pick<Model, 'complete' | 'name'>;
  /** Project that checks a patch and keeps it for a person, from `codeProject`. Its tests must cover the function. */
  readonly project: CodeProject;
  /** Path of the module with the function, relative to the root of the project. */
  readonly file: string;
  /** Name under which the module exports the function. Default: the name of the function. */
  readonly name?: string;
  /** Program that runs the module, and its options, such as `['node', '--import', 'tsx']`. Default `['node']`. */
  readonly runner?: Command;
  /**
   * Powers that a patch may use although the function did not, and the person who allows them. Default: none; such a patch
   * is rejected.
   */
  readonly powers?: { readonly allow: readonly Power[]; readonly by: string };
  /**
   * Person who allows that this process uses a patch as soon as it is merged, without a restart. Only for modules whose
   * top level may run twice. Default: a patch takes effect with the next start.
   */
  readonly hotSwap?: { readonly by: string };
}

/** Options with their defaults. */
export interface HealSettings extends Omit<HealOptions, 'patch'> {
  readonly task: string;
  readonly patch?: PatchSettings;
}

export type PatchSettings = PatchOptions & Required<Pick<PatchOptions, 'name' | 'runner'>>;

/** @throws LoopError `invalid-input` naming the option, its value and what is possible. */
export function readHealOptions(fn: unknown, options: HealOptions): HealSettings {
  if (typeof fn !== 'function')
    throw invalid(`heal got ${showValue(fn)}`, 'give a function, such as heal(price, { loop })');
  if (typeof options?.loop?.run !== 'function') throw invalid('heal got no loop', 'give { loop: new RSILoop() }');
  const own = typeof fn.name === 'string' ? fn.name : '';
  const { task = own, patch, ...others } = options;
  if (typeof task !== 'string' || task === '') throw invalid('the function has no name', 'give task');
  if (!patch) return { ...others, task };
  const { name = own, file, project, runner = ['node'] } = patch;
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
    throw invalid(`patch.name is ${showValue(name)}`, 'give the name under which the module exports the function');
  if (typeof patch.model?.complete !== 'function')
    throw invalid('patch has no model', 'give one, such as remoteModel(...)');
  if (typeof project?.mayChange !== 'function')
    throw invalid('patch has no project', 'give await codeProject({ ... })');
  if (typeof file !== 'string' || !project.mayChange(file))
    throw invalid(`patch.file is ${showValue(file)}`, 'give a path below the root of the project that its rules allow');
  if (runner.length === 0) throw invalid('patch.runner is empty', "give a program, such as ['node']");
  checkAllowed(patch);
  return { ...others, task, patch: { ...patch, name, runner } };
}

/** @throws LoopError `invalid-input` if something is allowed without a person, or is nothing that can be. */
function checkAllowed({ hotSwap, powers }: PatchOptions): void {
  if (hotSwap && (typeof hotSwap.by !== 'string' || hotSwap.by.trim() === ''))
    throw invalid('patch.hotSwap has no person', "give { by: 'your name' }");
  if (powers && !(Array.isArray(powers.allow) && powers.allow.every((each) => POWERS.includes(each))))
    throw invalid(`patch.powers.allow is ${showValue(powers.allow)}`, `give some of ${POWERS.join(', ')}`);
  if (powers && (typeof powers.by !== 'string' || powers.by.trim() === ''))
    throw invalid('patch.powers has no person', "give { allow: [...], by: 'your name' }");
}

function invalid(what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `${what}: ${advice}`);
}
