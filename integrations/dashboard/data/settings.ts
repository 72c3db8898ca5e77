import type { Fix, FixOf, PolicyChange, PolicyRow } from 'rsi-loop';
import { fixRow } from '../../reports/fix-row.js';
import type { SettingsView } from '../views.js';
import { isInForce } from './in-force.js';
import type { DataSource } from './source.js';

export function settingsView({ loop }: DataSource): SettingsView {
  const policies = loop.fixes({ kind: 'policy' }).filter(hasEffect);
  const rules = loop.fixes({ kind: 'rule' }).filter(isInForce);
  return {
    settings: loop.policyTable().map((row) => {
      const setBy = policies.find((fix) => isSetBy(row, fix));
      return { ...row, ...(setBy && { setBy: fixRow(loop, setBy) }) };
    }),
    rules: rules.map((fix) => {
      const { helpful, harmful } = loop.verifier.figures(fix.id)?.counters ?? {};
      return {
        fix: fixRow(loop, fix),
        text: fix.change.text,
        file: fix.change.file,
        ...(fix.written && { path: fix.written.path }),
        ...(helpful !== undefined && { helpful }),
        ...(harmful !== undefined && { harmful }),
      };
    }),
  };
}

function hasEffect(fix: Fix): boolean {
  return fix.status === 'trial' || isInForce(fix);
}

function isSetBy({ setting, scope, layer }: PolicyRow, { change, status }: FixOf<PolicyChange>): boolean {
  if (layer !== (status === 'trial' ? 'trial' : 'confirmed')) return false;
  return setting in change.set && JSON.stringify(change.scope) === JSON.stringify(scope);
}
