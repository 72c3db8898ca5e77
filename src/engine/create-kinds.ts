import type { Experience } from '../experience/lessons.js';
import { ChangeKinds } from '../fix/change-kinds.js';
import { actionKind } from '../fix/kinds/action.js';
import { policyKind } from '../fix/kinds/policy.js';
import { promptKind } from '../fix/kinds/prompt/kind.js';
import { ruleKind } from '../fix/kinds/rule.js';
import { skillKind } from '../fix/kinds/skill.js';
import { RuleDrafts, type RuleWriter } from '../fix/rule-drafts.js';
import { RuleFiles } from '../fix/rule-files.js';
import type { Ledger } from '../ledger/ledger.js';
import { longestWait, unitFor } from '../verify/plan.js';
import { triggerOf } from '../verify/trigger.js';
import { declaredText, fixesInForce, hasSecret, ownTexts } from './declared-texts.js';
import { defined, type FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';
import { type CountersContext, countersOf } from './rule-counters.js';

interface KindPorts {
  /** Returns the components in use, which are replaced when the store is read again. */
  readonly components: () => CountersContext & { readonly ledger: Pick<Ledger, 'state'> };
  readonly experience: Experience;
  readonly writer: RuleWriter | undefined;
}

/** Creates the table of the kinds of change: the host's own, settings and rules. */
export function createKinds(front: FixedComponents, options: RSILoopOptions, ports: KindPorts): ChangeKinds {
  const { clock, store, policies, repeats, events, settingLimits, autoFix, autoApprove } = front;
  const { components, experience, writer } = ports;
  const report = (where: string) => (message: string) => events.emit({ kind: 'problem', where, message });
  const files = new RuleFiles({
    report: report('rules'),
    paths: front.rulePaths,
    ...defined({ workspace: options.workspace }),
  });
  const drafts = writer && new RuleDrafts({ writer, clock, files: files.names, report: report('rules') });
  const policy = policyKind({
    autoFix,
    repeats,
    settingLimits,
    entries: front.catalog.entries,
    own: policies.own,
    policyFor: (scope) => policies.lookup(scope),
    inOrder: ({ id, issue }, candidates, setOf) => experience.record.order({ issue, seed: id }, candidates, setOf),
    unitFor,
    triggerOf,
    longestWaitMs: (change, announcedMs) => longestWait(policies.lookup(change.scope, [change]), announcedMs),
    report: report('fix'),
  });
  const prompt = promptKind({
    hasSecret,
    writer: store.journal.writer,
    report: report('prompts'),
    own: () => ownTexts(front),
    declared: (name) => declaredText({ texts: front.texts, ledger: components().ledger }, name),
    inForce: () => fixesInForce(components()),
    wordsOf: (task) => experience.library.about({ task }),
    ...defined({ workspace: options.workspace }),
    ...(options.promptWriter && {
      drafts: options.promptWriter.open({ clock, hasSecret, report: report('prompts') }),
    }),
  });
  const rule = ruleKind({
    files,
    countersOf: (id) => countersOf(id, components()),
    ...defined({ drafts, autoApprove }),
  });
  return new ChangeKinds([
    ...(options.kinds ?? []),
    policy,
    prompt,
    rule,
    skillKind((version) => front.skills.has(version)),
    actionKind(),
  ]);
}
