import type { PolicyChange } from '../contract/change.js';
import type { Json } from '../contract/json.js';
import { isSettingName, mergePolicy, numberRange, parseSettings, settingLimitsOf } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import { type ScopeKey, scopeCovers, scopeKeysOf } from '../contract/scope.js';
import type { Policy, SettingLimits, SettingName, Settings } from '../contract/settings.js';
import { withoutRepeats } from '../lib/repeat.js';
import type { Report } from './problem.js';

/** Source of the value of a setting, the weakest first. */
export type PolicyLayer = 'default' | 'user' | 'confirmed' | 'trial';

/** Row of the settings table. */
export interface PolicyRow {
  readonly setting: SettingName;
  readonly value: Json;
  /** Layer that set the value. */
  readonly layer: PolicyLayer;
  /** Scope in which the value applies; empty means everywhere. */
  readonly scope: Scope;
  /** Limits that no fix can exceed; only for numbers. */
  readonly bounds?: { readonly min: number; readonly max: number; readonly unit: string };
}

export interface PolicyTableOptions {
  /** User settings, which override the defaults. */
  readonly settings?: unknown;
  /** Known settings and the limits of each. */
  readonly settingLimits?: SettingLimits;
  readonly report?: Report;
}

const NO_CHANGES: readonly PolicyChange[] = [];
const MAY_REPEAT = { may: true };

/** Maximum number of cached policies. When exceeded, the cache is cleared. */
const MAX_KEPT = 4_096;

/**
 * Settings in force: defaults, then user settings, then confirmed fixes, then the arm of a running trial.
 * A returned policy never changes. Equal queries return the same object until `update`.
 */
export class PolicyTable {
  readonly #settings: Settings;
  readonly #settingLimits: SettingLimits;
  readonly #report: Report;
  #confirmed: readonly PolicyChange[] = [];
  /** Scope fields that some confirmed change uses. Only these can make two tasks' policies differ. */
  #keys: readonly ScopeKey[] = [];
  /** Settings without any fix. */
  readonly #base: Policy;
  /** Settings with the fixes that apply everywhere. */
  #everywhere: Policy;
  #kept: Branch = new Map();
  #keptCount = 0;
  /** Policies with one more change, and with one change removed. */
  #withArm: PolicyByChange = new WeakMap();
  #heldOut: PolicyByChange = new WeakMap();
  /** Changes in each policy, in the order in which they apply. */
  readonly #changes = new WeakMap<Policy, readonly PolicyChange[]>();
  /** Policies without settings that repeat a task: one cache for unknown permission, one for denied. */
  #unrepeated = { unknown: new WeakMap<Policy, Policy>(), never: new WeakMap<Policy, Policy>() };

  /** @throws LoopError `invalid-policy` if the user's settings contain an unknown name or an invalid value. */
  constructor(options: PolicyTableOptions = {}) {
    this.#settingLimits = options.settingLimits ?? settingLimitsOf();
    this.#settings = parseSettings(options.settings ?? {}, this.#settingLimits);
    this.#report = options.report ?? (() => {});
    this.#base = mergePolicy([this.#settings], this.#settingLimits);
    this.#everywhere = this.#base;
  }

  /** Replaces the confirmed fixes. If two of them set the same value, the later one in the list wins. */
  update(state: { readonly confirmed: readonly PolicyChange[] }): void {
    this.#confirmed = [...state.confirmed];
    const scopes = this.#confirmed.flatMap(({ scope }) => [scope, ...(scope.except ?? [])]);
    this.#keys = [...new Set(scopes.flatMap(scopeKeysOf))];
    this.#kept = new Map();
    this.#keptCount = 0;
    this.#withArm = new WeakMap();
    this.#heldOut = new WeakMap();
    this.#everywhere = this.#make({}, NO_CHANGES);
  }

  /**
   * Returns the settings for a task of this scope. `arms` are the changes of trials in whose fix arm the task is.
   * `heldOut` are confirmed changes to leave out for this task. Unless the task `mayRepeat`, no fix makes it run
   * again.
   */
  lookup(
    scope: Scope,
    arms: readonly PolicyChange[] = NO_CHANGES,
    heldOut: readonly PolicyChange[] = NO_CHANGES,
    { may }: { readonly may?: boolean | undefined } = MAY_REPEAT,
  ): Policy {
    let policy = this.#keys.length === 0 ? this.#everywhere : this.#find(scope);
    if (heldOut.length > 0) policy = this.#without(policy, heldOut, scope);
    for (const change of arms) policy = this.#underArm(policy, change);
    return may === true ? policy : this.#withoutRepeats(policy, may);
  }

  /** Returns the changes of fixes in a policy that this table returned, in the order in which they apply. */
  changesIn(policy: Policy): readonly PolicyChange[] {
    return this.#changes.get(policy) ?? NO_CHANGES;
  }

  /** Returns the settings in force without any fix. */
  get base(): Policy {
    return this.#base;
  }

  /** Returns the user settings, without any fix. */
  get own(): Settings {
    return this.#settings;
  }

  /**
   * Returns each setting with its global value, then the values that confirmed fixes and trials set in their scopes.
   */
  rows(trials: readonly PolicyChange[] = []): PolicyRow[] {
    const names = this.#names(this.#settingLimits.rules);
    const everywhere = names.map((setting) =>
      this.#row(setting, this.#base, this.#settings[setting] === undefined ? 'default' : 'user', {}),
    );
    return [
      ...everywhere,
      ...this.#confirmed.flatMap((change) => this.#changeRows(change, 'confirmed')),
      ...trials.flatMap((change) => this.#changeRows(change, 'trial')),
    ];
  }

  #find(scope: Scope): Policy {
    let branch = this.#kept;
    const last = this.#keys.length - 1;
    for (let depth = 0; depth < last; depth++) {
      const name = this.#nameAt(scope, depth);
      let next = branch.get(name);
      if (!(next instanceof Map)) {
        next = new Map();
        branch.set(name, next);
      }
      branch = next;
    }
    const name = this.#nameAt(scope, last);
    const known = branch.get(name);
    if (known !== undefined && !(known instanceof Map)) return known;
    const policy = this.#make(scope);
    this.#keptCount++;
    if (this.#keptCount > MAX_KEPT) {
      this.#kept = new Map();
      this.#keptCount = 0;
    } else {
      branch.set(name, policy);
    }
    return policy;
  }

  #nameAt(scope: Scope, depth: number): string | undefined {
    const key = this.#keys[depth];
    return key === undefined ? undefined : scope[key];
  }

  #make(scope: Scope, heldOut: readonly PolicyChange[] = NO_CHANGES): Policy {
    const covering = this.#confirmed.filter((change) => !heldOut.includes(change) && scopeCovers(change.scope, scope));
    const policy = mergePolicy([this.#settings, ...covering.map((change) => change.set)], this.#settingLimits);
    this.#changes.set(policy, covering);
    return policy;
  }

  #underArm(policy: Policy, change: PolicyChange): Policy {
    return remembered(this.#withArm, policy, change, () => {
      const report = (message: string) => this.#report({ where: 'policy', message });
      const made = mergePolicy([policy, change.set], this.#settingLimits, report);
      this.#changes.set(made, [...this.changesIn(policy), change]);
      return made;
    });
  }

  #without(policy: Policy, heldOut: readonly PolicyChange[], scope: Scope): Policy {
    const [first] = heldOut;
    if (first === undefined || heldOut.length > 1) return this.#make(scope, heldOut); // a task skips at most one fix
    return remembered(this.#heldOut, policy, first, () => this.#make(scope, heldOut));
  }

  #withoutRepeats(policy: Policy, mayRepeat: boolean | undefined): Policy {
    const known = mayRepeat === false ? this.#unrepeated.never : this.#unrepeated.unknown;
    let made = known.get(policy);
    if (made === undefined) {
      made = withoutRepeats(policy, this.#settings, mayRepeat);
      this.#changes.set(made, this.changesIn(policy));
      known.set(policy, made);
    }
    return made;
  }

  #changeRows(change: PolicyChange, layer: PolicyLayer): PolicyRow[] {
    const policy = mergePolicy([this.#settings, change.set], this.#settingLimits);
    return this.#names(change.set).map((setting) => this.#row(setting, policy, layer, change.scope));
  }

  #row(setting: SettingName, policy: Policy, layer: PolicyLayer, scope: Scope): PolicyRow {
    const bounds = numberRange(setting, this.#settingLimits);
    const row = { setting, value: policy[setting] ?? null, layer, scope };
    return bounds ? { ...row, bounds } : row;
  }

  #names(settings: object): readonly SettingName[] {
    return Object.keys(settings).filter((name): name is SettingName => isSettingName(name, this.#settingLimits));
  }
}

/** Cached policies, nested by the value of each relevant scope field. */
type Branch = Map<string | undefined, Branch | Policy>;

/** Both keys keep their identity until the next `update`, so nothing is compared or evicted. */
type PolicyByChange = WeakMap<Policy, WeakMap<PolicyChange, Policy>>;

function remembered(known: PolicyByChange, policy: Policy, change: PolicyChange, make: () => Policy): Policy {
  let made = known.get(policy);
  if (made === undefined) {
    made = new WeakMap();
    known.set(policy, made);
  }
  let result = made.get(change);
  if (result === undefined) {
    result = make();
    made.set(change, result);
  }
  return result;
}
