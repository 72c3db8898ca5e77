import type { Experience } from '../experience/lessons.js';
import { ChangeKinds } from '../fix/change-kinds.js';
import { policyKind } from '../fix/kinds/policy-kind.js';
import { promptKind } from '../fix/kinds/prompt/kind.js';
import { ruleKind } from '../fix/kinds/rule-kind.js';
import { RuleDrafts, type RuleWriter } from '../fix/rule-drafts.js';
import { RuleFiles } from '../fix/rule-files.js';
import { defined } from '../live/fixed-components.js';
import type { LiveComponents } from '../live/live-components.js';
import type { RSILoopOptions } from '../live/options.js';
import { ownTexts } from '../live/own-texts.js';
import { longestWait, unitFor } from '../verify/plan.js';
import { triggerOf } from '../verify/trigger.js';
import { declaredText, fixesInForce, hasSecret } from './declared-texts.js';
import { type CountersContext, countersOf } from './rule-counters.js';

interface KindPorts {
  readonly verifier: CountersContext['verifier'];
  readonly experience: Experience;
  readonly writer: RuleWriter | undefined;
}

/** Creates the table of the kinds of change: the host's own, settings and rules. */
export function createKinds(live: LiveComponents, options: RSILoopOptions, ports: KindPorts): ChangeKinds {
  const { clock, store, policies, repeats, events, settingLimits, autoFix, autoApprove } = live;
  const { ledger } = live;
  const { verifier, experience, writer } = ports;
  const report = (where: string) => (message: string) => events.emit({ kind: 'problem', where, message });
  const files = new RuleFiles({
    report: report('rules'),
    paths: live.rulePaths,
    ...defined({ workspace: options.workspace }),
  });
  const drafts = writer && new RuleDrafts({ writer, clock, files: files.names, report: report('rules') });
  const policy = policyKind({
    autoFix,
    repeats,
    settingLimits,
    entries: live.catalog.entries,
    own: policies.own,
    priceOf: live.priceOf,
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
    own: () => ownTexts(live),
    declared: (name) => declaredText(live, name),
    inForce: () => fixesInForce(live),
    wordsOf: (task) => experience.library.about({ task }),
    ...defined({ workspace: options.workspace }),
    ...(options.promptWriter && {
      drafts: options.promptWriter.open({ clock, hasSecret, report: report('prompts') }),
    }),
  });
  const rule = ruleKind({
    files,
    countersOf: (id) => countersOf(id, { ledger, verifier, clock }),
    ...defined({ drafts, autoApprove }),
  });
  return new ChangeKinds([...(options.kinds ?? []), policy, prompt, rule], live.companionKinds);
}
