import type { Change } from '../contract/change.js';
import type { ChangeKind } from '../contract/change-kind.js';
import { LoopError } from '../contract/errors.js';
import type { Fix } from '../contract/fix.js';
import type { JsonObject } from '../contract/json.js';
import { scopesOverlap } from '../contract/scope.js';

/** Maximum simultaneous trials of one task. More would make each of them take longer. */
const MAX_TRIALS_PER_TASK = 3;

/** Part of a kind of change that applies its changes to tasks, and describes them. */
export type KindInForce = Pick<
  ChangeKind,
  'kind' | 'approvedBy' | 'effect' | 'content' | 'describe' | 'sets' | 'isAlike' | 'canApply' | 'problem'
>;

/**
 * Table of the kinds of change that a loop knows, and questions about pairs of changes. Processes that only follow
 * decisions have tables of `KindInForce`.
 */
export class ChangeKinds<Kind extends KindInForce = ChangeKind> {
  readonly #given: readonly Kind[];
  readonly #builtIn: readonly Kind[];
  readonly #byName: ReadonlyMap<string, Kind>;
  readonly #companions: ReadonlyMap<string, ChangeKind>;

  /**
   * Earlier kinds are asked for proposals before later ones. `companions` are kinds that open later, such as those of
   * skills and of named texts. They come before the kinds that are `builtIn`.
   * @throws LoopError `invalid-input` if two kinds have the same name.
   */
  constructor(
    given: readonly Kind[],
    companions: ReadonlyMap<string, ChangeKind> = new Map(),
    builtIn: readonly Kind[] = [],
  ) {
    const kinds = [...given, ...builtIn];
    this.#companions = companions;
    this.#given = given;
    this.#builtIn = builtIn;
    this.#byName = new Map(kinds.map((kind) => [kind.kind, kind]));
    if (this.#byName.size === kinds.length) return;
    const names = kinds.map(({ kind }) => kind);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    throw new LoopError('invalid-input', `kinds has ${JSON.stringify(twice)} twice: give each kind its own name`);
  }

  /** Kinds in the order in which to ask for proposals: those that the loop approves first. */
  get all(): readonly (Kind | ChangeKind)[] {
    const kinds = [...this.#given, ...this.#companions.values(), ...this.#builtIn];
    return kinds.sort((a, b) => Number(needsPerson(a)) - Number(needsPerson(b)));
  }

  /** Returns whether this loop can apply the change. The ledger may contain kinds that only other processes know. */
  knows(change: Change): boolean {
    const kind = this.#companions.get(change.kind) ?? this.#byName.get(change.kind);
    return kind !== undefined && (kind.canApply?.(change) ?? true);
  }

  /** Returns the kind of a change; for an unknown kind, one that proposes and does nothing. */
  of({ kind }: Change): Kind | ChangeKind {
    return this.#companions.get(kind) ?? this.#byName.get(kind) ?? UNKNOWN;
  }

  /** Returns whether only a person can approve the change. */
  needsPerson(change: Change): boolean {
    return needsPerson(this.of(change));
  }

  /** Returns the settings that a change gives to tasks, if any. */
  settings(change: Change): JsonObject | undefined {
    return this.of(change).effect(change).settings?.set;
  }

  content(change: Change): JsonObject {
    return this.of(change).content(change);
  }

  /** Returns whether the content asks for almost the same as the content of another change. */
  isAlike(change: Change, other: JsonObject): boolean {
    const kind = this.of(change);
    const content = kind.content(change);
    return kind.isAlike?.(content, other) ?? JSON.stringify(content) === JSON.stringify(other);
  }

  /** Returns whether two changes ask for almost the same in overlapping scopes. */
  areAlike(one: Change, other: Change): boolean {
    const isSameKind = this.of(one) === this.of(other);
    return isSameKind && scopesOverlap(one.scope, other.scope) && this.isAlike(one, this.content(other));
  }

  /** Returns whether two changes would set the same setting, or state the same rule, for some task. */
  collide(one: Change, other: Change): boolean {
    if (this.of(one) !== this.of(other) || !scopesOverlap(one.scope, other.scope)) return false;
    const names = this.#sets(other);
    return this.#sets(one).some((name) => names.includes(name));
  }

  /** Returns whether the second change makes the first redundant: the same scope, and all that it sets or states. */
  replaces(one: Change, other: Change): boolean {
    if (this.of(one) !== this.of(other) || JSON.stringify(one.scope) !== JSON.stringify(other.scope)) return false;
    const names = this.#sets(other);
    return this.#sets(one).every((name) => names.includes(name));
  }

  /**
   * Returns whether both changes choose which model is asked. Tried at the same time, each takes the failures from the
   * other's trial, and neither can be confirmed in reasonable time.
   */
  chooseModels(one: Change, other: Change): boolean {
    return [one, other].every((change) =>
      Object.keys(this.settings(change) ?? {}).some((name) => name.startsWith('model.')),
    );
  }

  /** Returns why the trial of this fix has to wait; `undefined` if it may begin. */
  reasonToWait(fix: Fix, others: Iterable<Fix>): string | undefined {
    let trials = 0;
    for (const other of others) {
      if (other.id === fix.id || other.status !== 'trial') continue;
      if (this.collide(fix.change, other.change))
        return `the trial of ${other.id} changes the same setting in the same scope`;
      if (other.task === fix.task) trials++;
    }
    return trials >= MAX_TRIALS_PER_TASK ? `${trials} trials are running for ${fix.task}` : undefined;
  }

  #sets(change: Change): readonly string[] {
    const kind = this.of(change);
    return kind.sets?.(change) ?? Object.keys(kind.content(change));
  }
}

function needsPerson({ approvedBy = 'person' }: KindInForce): boolean {
  return approvedBy === 'person';
}

/** Stands for a kind that only another process knows. Its fixes stay as they are and are not tried here. */
const UNKNOWN: ChangeKind = {
  kind: 'my.unknown',
  propose: () => [],
  effect: () => ({}),
  content: ({ scope: _, undo: __, ...content }) => ({ ...content }),
  needs: ({ kind }) => `give the loop the kind ${JSON.stringify(kind)}: new RSILoop({ kinds: [...] })`,
  describe: ({ change: { kind }, target }) => ({
    title: `${kind}: ${target}`,
    undo: 'a process that knows this kind of change restores what applied before',
    inForce: 'a process that knows this kind of change applies it',
    rolledBack: 'a process that knows this kind of change rolls it back',
  }),
};
