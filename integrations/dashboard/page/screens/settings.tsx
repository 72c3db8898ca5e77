import { useMemo } from 'preact/hooks';
import type { SettingsView } from '../../views.js';
import { count, countOf, digits } from '../lib/format.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { boundsText, settingText } from '../lib/setting-text.js';
import { useView } from '../lib/use-view.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State, StatusOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

type Setting = SettingsView['settings'][number];
type Rule = SettingsView['rules'][number];

export function SettingsScreen() {
  return <Loaded<SettingsView> kept={useView('settings', 'settings')}>{(view) => <SettingsPage view={view} />}</Loaded>;
}

function SettingsPage({ view: { settings, rules } }: { readonly view: SettingsView }) {
  const sorted = useMemo(() => [...settings].sort((a, b) => RANK[a.layer] - RANK[b.layer]), [settings]);
  return (
    <Screen
      question="Which rules and settings are in force?"
      title="Rules and settings"
      answer={settingsSummary({ settings, rules })}
    >
      <Section title="Rules for agents">
        <Table
          name="rules"
          label="rules"
          rows={rules}
          columns={RULES}
          rowKey={({ fix }) => fix.id}
          open={({ fix }) => address(['trials', fix.id])}
          empty={
            <>
              No rule is in force. The loop proposes one when retries cannot fix a failure: see{' '}
              <Link to={['review']}>Review</Link>.
            </>
          }
        />
      </Section>
      <Section title="Settings">
        <Table
          name="settings"
          label="settings"
          rows={sorted}
          columns={SETTINGS}
          rowKey={(row) => `${row.setting} ${JSON.stringify(row.scope)}`}
        />
      </Section>
    </Screen>
  );
}

function settingsSummary({ settings, rules }: SettingsView): string {
  const byLoop = settings.filter(({ layer }) => layer === 'confirmed').length;
  const onTrial = settings.filter(({ layer }) => layer === 'trial').length;
  const byUser = settings.filter(({ layer }) => layer === 'user').length;
  return `${countOf(rules.length, 'rule')} and ${countOf(settings.length, 'setting')}: ${count(byUser)} set by you, ${count(byLoop)} set by confirmed fixes, ${count(onTrial)} on trial, the rest by default.`;
}

function scopeText(scope: Setting['scope']): string {
  const parts = Object.entries(scope).map(([dimension, value]) => `${dimension} ${oneLine(String(value), 60)}`);
  return parts.length === 0 ? 'everywhere' : parts.join(', ');
}

/** Settings that differ from the default come first. */
const RANK = { trial: 0, confirmed: 1, user: 2, default: 3 } as const;

const LAYERS = {
  default: ['quiet', 'default'],
  user: ['quiet', 'you'],
  confirmed: ['confirmed', 'confirmed fix'],
  trial: ['trial', 'trial'],
} as const;

const SETTINGS: readonly Column<Setting>[] = [
  { key: 'setting', title: 'Setting', width: 220, value: ({ setting }) => setting },
  {
    key: 'value',
    title: 'Value',
    kind: 'number',
    width: 130,
    value: (row) => (typeof row.value === 'number' ? row.value : settingText(row)),
    cell: (row) => settingText(row),
  },
  { key: 'scope', title: 'Where', width: 160, value: ({ scope }) => scopeText(scope) },
  {
    key: 'layer',
    title: 'Set by',
    width: 150,
    value: ({ layer }) => layer,
    cell: ({ layer }) => <State tone={LAYERS[layer][0]} word={LAYERS[layer][1]} />,
  },
  {
    key: 'fix',
    title: 'Fix',
    width: 240,
    isFlexible: true,
    value: ({ setBy }) => setBy?.title,
    cell: ({ setBy }) =>
      setBy ? (
        <Link to={['trials', setBy.id]}>
          <Text value={setBy.title} limit={120} />
        </Link>
      ) : (
        <span class="dim">–</span>
      ),
  },
  {
    key: 'bounds',
    title: 'A fix may set',
    width: 160,
    value: ({ bounds }) => bounds && boundsText(bounds),
  },
];

const RULES: readonly Column<Rule>[] = [
  { key: 'text', title: 'Rule', width: 380, value: ({ text }) => text },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    value: ({ fix }) => fix.status,
    cell: ({ fix }) => <StatusOf status={fix.status} />,
  },
  { key: 'file', title: 'File', width: 180, value: ({ file, path }) => path ?? file },
  {
    key: 'helpful',
    title: 'Fewer failures',
    kind: 'number',
    width: 132,
    value: ({ helpful }) => helpful,
    cell: ({ helpful }) => (helpful === undefined ? <span class="dim">unknown</span> : digits(helpful)),
  },
  {
    key: 'harmful',
    title: 'More failures',
    kind: 'number',
    width: 120,
    value: ({ harmful }) => harmful,
    cell: ({ harmful }) => (harmful === undefined ? <span class="dim">unknown</span> : digits(harmful)),
  },
  { key: 'changed', title: 'Changed', kind: 'time', width: 110, value: ({ fix }) => fix.changedMs },
];
