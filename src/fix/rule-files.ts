import type { RuleChange, RuleFile } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Workspace, WorkspaceFile } from '../contract/workspace.js';
import { messageOf } from '../lib/text.js';
import { unifiedDiff } from '../lib/unified-diff.js';
import { rulesIn } from './compare-rules.js';
import { type RulePaths, readRulePaths } from './rule-paths.js';
import { addRule, listRules, removeRule, type SectionEdit } from './rules/edit-section.js';
import type { WrittenRule } from './rules/rule-line.js';

export interface RuleFilesOptions {
  /** Workspace to write to. Without one nothing is written, and rules are only given as advice. */
  readonly workspace?: Workspace;
  /** Paths that override the default ones. Other names may be added. */
  readonly paths?: RulePaths;
  readonly report: (message: string) => void;
}

const NONE: readonly string[] = [];
/** Value of keeping a rule. When the section is full, the rule with the lowest value is removed. */
type Usefulness = (rule: WrittenRule) => number;

/** Result of writing a rule to its file, or of removing it. */
export type FileResult =
  | { readonly kind: 'done'; readonly path: string; readonly retired: readonly FixId[] }
  /** The reason was reported, and the next cycle tries again. */
  | { readonly kind: 'not-now' }
  /** There is no such file for rules: the rule stays advice. */
  | { readonly kind: 'nowhere' };

/** Rule that is written to a file, or will be. */
export type FiledFix = Pick<Fix, 'id' | 'written'> & { readonly change: RuleChange };

/** Writes rules into an agent's files, removes them, and tracks what those files contain. */
export class RuleFiles {
  readonly #options: RuleFilesOptions;
  readonly #paths: RulePaths;
  readonly #files = new Map<string, WorkspaceFile>();
  /** Rules in each file, cached while its content stays the same. */
  readonly #rules = new WeakMap<WorkspaceFile, readonly string[]>();
  /** Messages already reported, until they change. */
  readonly #reported = new Map<string, string>();

  constructor(options: RuleFilesOptions) {
    this.#options = options;
    this.#paths = readRulePaths(options.paths);
  }

  /** Names of the files that a rule may target. */
  get names(): readonly RuleFile[] {
    return Object.keys(this.#paths);
  }

  /** Returns whether rules for this file can be written at all. */
  isWritable(file: RuleFile): boolean {
    const path = this.#paths[file];
    return path !== undefined && (this.#options.workspace?.files.includes(path) ?? false);
  }

  /** Reads the files again, because people edit them too. */
  async refresh(): Promise<void> {
    const { workspace } = this.#options;
    if (!workspace) return;
    for (const path of new Set(Object.values(this.#paths))) {
      if (!workspace.files.includes(path)) continue;
      try {
        const file = await workspace.read(path);
        this.#files.set(path, file);
        this.#settled(path);
      } catch (error) {
        this.#files.delete(path);
        this.#report(path, `${path} cannot be read: ${messageOf(error)}`);
      }
    }
  }

  /** Returns the rules that a file contained when it was last read, regardless of who wrote them. */
  existing(file: RuleFile): readonly string[] {
    const read = this.#files.get(this.#paths[file] ?? '');
    if (read?.text === undefined) return NONE;
    const rules = this.#rules.get(read) ?? rulesIn(read.text);
    this.#rules.set(read, rules);
    return rules;
  }

  /** Returns whether a written rule was removed from its file by someone else; `undefined` if unknown now. */
  isGone({ id, written }: FiledFix): boolean | undefined {
    const file = written && this.#files.get(written.path);
    const listed = file && listRules(file.text);
    if (listed?.kind !== 'rules') return undefined;
    return !listed.rules.some((rule) => rule.id === id);
  }

  /** Returns the diff for writing the rule to its file, or for removing it if it is already there. */
  diff(fix: FiledFix, nowMs: number, usefulness: Usefulness): string {
    const path = fix.written?.path ?? this.#paths[fix.change.file] ?? fix.change.file;
    const before = this.#files.get(path)?.text;
    const edit = fix.written ? removeRule(before, fix.id) : addRule(before, lineOf(fix, nowMs), { usefulness });
    return edit.kind === 'edited' ? unifiedDiff(before, edit.text, path) : '';
  }

  write(fix: FiledFix, nowMs: number, usefulness: Usefulness): Promise<FileResult> {
    return this.#edit(fix, this.#paths[fix.change.file], (text) => addRule(text, lineOf(fix, nowMs), { usefulness }));
  }

  remove(fix: FiledFix): Promise<FileResult> {
    return this.#edit(fix, fix.written?.path, (text) => removeRule(text, fix.id));
  }

  async #edit(
    { id }: FiledFix,
    path: string | undefined,
    change: (text: string | undefined) => SectionEdit,
  ): Promise<FileResult> {
    const { workspace } = this.#options;
    if (!workspace || path === undefined || !workspace.files.includes(path)) return { kind: 'nowhere' };
    try {
      const before = await workspace.read(path);
      this.#files.set(path, before);
      const edit = change(before.text);
      if (edit.kind === 'refused') return this.#later(id, `rule ${id} and ${path}: ${edit.message}`);
      if (edit.kind === 'unchanged') return this.#done(id, path, []);
      const result = await workspace.write(path, edit.text, before.hash);
      this.#files.set(path, result.file);
      if (result.kind === 'conflict')
        return this.#later(id, `${path} was changed meanwhile: rule ${id} is tried again`);
      return this.#done(
        id,
        path,
        edit.retired.map((rule) => rule.id as FixId), // the id of a rule is the id of its fix
      );
    } catch (error) {
      return this.#later(id, `rule ${id} and ${path}: ${messageOf(error)}`);
    }
  }

  #done(id: string, path: string, retired: readonly FixId[]): FileResult {
    this.#settled(id);
    return { kind: 'done', path, retired };
  }

  #later(id: string, message: string): FileResult {
    this.#report(id, message);
    return { kind: 'not-now' };
  }

  #report(about: string, message: string): void {
    if (this.#reported.get(about) === message) return;
    this.#reported.set(about, message);
    this.#options.report(message);
  }

  #settled(about: string): void {
    this.#reported.delete(about);
  }
}

function lineOf({ id, change }: FiledFix, nowMs: number): WrittenRule {
  return {
    id,
    text: change.text,
    date: new Date(nowMs).toISOString().slice(0, 10),
    evidence: `rsi explain ${id}`,
  };
}
