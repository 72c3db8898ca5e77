import type { Experience } from '../experience/lessons.js';
import { ChangeKinds } from '../fix/change-kinds.js';
import { policyKind } from '../fix/kinds/policy-kind.js';
import { ruleKind } from '../fix/kinds/rule-kind.js';
import { RuleDrafts, type RuleWriter } from '../fix/rule-drafts.js';
import { RuleFiles } from '../fix/rule-files.js';
import { defined } from '../live/fixed-components.js';
import type { LiveComponents } from '../live/live-components.js';
import type { RSILoopOptions } from '../live/options.js';
import { longestWait, unitFor } from '../verify/plan.js';
import { triggerOf } from '../verify/trigger.js';
import { type CountersContext, countersOf } from './rule-counters.js';

interface KindPorts {
  readonly verifier: CountersContext['verifier'];
  readonly experience: Experience;
  readonly writer: RuleWriter | undefined;
}

/** Creates the table of the kinds of change: the host's own, settings and rules. */
export function createKinds(live: LiveComponents, options: RSILoopOptions, ports: KindPorts): ChangeKinds {
  const { clock, policies, repeats, events, settingLimits, autoFix, autoApprove } = live;
  const { ledger } = live;
  const { verifier, experience, writer } = ports;
  const report = (where: string) => (message: string) => events.emit({ kind: 'problem', where, message });
  const files = new RuleFiles({
    report: report('rules'),
    paths: live.rulePaths,
    ...defined({ workspace: live.workspace }),
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
  const rule = ruleKind({
    files,
    countersOf: (id) => countersOf(id, { ledger, verifier, clock }),
    ...defined({ drafts, autoApprove }),
  });
  return new ChangeKinds(options.kinds ?? [], live.companionKinds, [policy, rule]);
}
