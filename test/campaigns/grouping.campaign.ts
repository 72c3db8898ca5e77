/** How well messages are grouped, on public logs, invented logs and agent errors. `npm run campaign -- grouping` */
import { AGENT_ERRORS } from '../fixtures/agent-errors.js';
import { LOG_STYLES, linesInStyle } from '../fixtures/log-styles.js';
import { groupAll, publicLogSets, scoreGrouping, sharedAgentErrors, shuffleStability, wholeness } from './grouping.js';

const SHUFFLES = 10;

const logs = publicLogSets().map(({ name, messages, labels, corrected }) => ({ name, messages, labels, corrected }));
const invented = LOG_STYLES.map((name) => {
  const lines = linesInStyle(name, 2_000);
  const labels = lines.map(({ label }) => label);
  return { name, messages: lines.map(({ message }) => message), labels, corrected: labels };
});

for (const [title, sets] of [
  ['public log sets', logs],
  ['invented lines in the style of other systems', invented],
] as const) {
  if (sets.length === 0) continue;
  const rows = sets.map(({ name, messages, labels, corrected }) => {
    const { atOnce, resolved } = groupAll(messages);
    const first = scoreGrouping(labels, atOnce);
    const later = scoreGrouping(labels, resolved);
    const second = scoreGrouping(corrected, resolved);
    const stable = shuffleStability(messages, SHUFFLES);
    return {
      name,
      GA: first.ga,
      FGA: first.fga,
      'GA resolved': later.ga,
      'FGA resolved': later.fga,
      'GA corrected': second.ga,
      'FGA corrected': second.fga,
      groups: first.found,
      of: first.real,
      'order, least': stable.least,
      'order, mean': stable.mean,
    };
  });
  const keys = [
    'GA',
    'FGA',
    'GA resolved',
    'FGA resolved',
    'GA corrected',
    'FGA corrected',
    'order, least',
    'order, mean',
  ] as const;
  const mean = Object.fromEntries(keys.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0) / rows.length]));
  console.log(`\n${title}: GA and FGA by the id at once, with later merges followed, and by the corrected labels`);
  console.table([...rows, { name: 'mean', ...mean }].map(rounded));
}

for (const [title, errors] of [
  ['agent errors, shared development set', sharedAgentErrors()],
  ['agent errors, fixtures of the project', AGENT_ERRORS],
] as const) {
  if (errors.length === 0) continue;
  const { resolved } = groupAll(errors.map(({ message }) => message));
  const { split, merged } = wholeness(
    errors.map(({ label }) => label),
    resolved,
  );
  const recurring = errors.filter(({ label }, index) => errors.findIndex((other) => other.label === label) < index);
  console.log(
    `\n${title}: ${errors.length} messages, ${new Set(recurring.map(({ label }) => label)).size} recurring errors`,
  );
  console.log(`  not whole: ${split.length} ${split.join(', ')}`);
  console.log(`  groups holding several: ${merged.length} ${merged.map((labels) => labels.join(' + ')).join(', ')}`);
}

function rounded(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toFixed(3)) : value]),
  );
}
