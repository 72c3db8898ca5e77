import type { PolicyLayer, PolicyRow } from 'rsi-loop';
import { percentOf, whole } from '../../reports/words/numbers.js';
import type { Look, Paint } from '../terminal/look.js';
import { paragraph, table } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import { readVerb } from '../verb.js';

/** The verb `rsi policy [task]`: shows every setting, its value, its origin, and the bounds for fixes. */
export const policy = readVerb<object, string | undefined>({
  description: 'Prints every setting of a loop in one table: its value, the layer it comes from, and its bounds.',
  examples: [
    ['policy', 'the settings of every task'],
    ['policy api_call', 'those of one'],
  ],
  read: (loop, _, task, look) => {
    const report = policyReport(loop.policyTable(), task);
    return { document: report, text: renderPolicy(report, look) };
  },
});

/** Output of `rsi policy --json`. Fields are added within a format, never changed or removed. */
export interface PolicyReport {
  readonly format: 'rsi-policy/1';
  /** Task that was asked for; null for all tasks. */
  readonly task: string | null;
  /**
   * Rows grouped by setting: first the value for all tasks, then the values of fixes. Later rows override earlier ones.
   */
  readonly settings: readonly PolicyRow[];
}

function policyReport(rows: readonly PolicyRow[], task: string | undefined): PolicyReport {
  const wanted = rows.filter(({ scope }) => task === undefined || scope.task === undefined || scope.task === task);
  const names = [...new Set(wanted.map(({ setting }) => setting))];
  const settings = names.flatMap((name) => wanted.filter(({ setting }) => setting === name));
  return { format: 'rsi-policy/1', task: task ?? null, settings };
}

const COLUMNS = [
  { head: 'setting' },
  { head: 'value', align: 'right', max: 20 },
  { head: 'layer' },
  { head: 'bounds' },
  { head: 'where' },
] as const;

/** Style per layer, from the lowest layer to the highest. */
const STYLES: Readonly<Record<PolicyLayer, Parameters<Paint>[0]>> = {
  default: 'dim',
  user: 'bold',
  confirmed: 'green',
  trial: 'cyan',
};

/** Renders the settings as one table, in lines of at most `width` columns. */
function renderPolicy({ settings, task }: PolicyReport, look: Look): string {
  const rows = settings.map((row) => ({ cells: cellsOf(row), style: STYLES[row.layer] }));
  const changed = settings.some(({ layer }) => layer === 'confirmed' || layer === 'trial');
  const notes = [
    ...(changed ? [] : [`no fix is in force or on trial${task === null ? '' : ` for ${plain(task)}`}`]),
    'later rows of a setting override earlier ones; a trial applies to the tasks drawn for it',
    'settings passed in code (policy, bounds) are not stored and not shown',
  ];
  const lines = [...table(COLUMNS, rows, look), '', ...notes.flatMap((note) => paragraph(note, look, 0, 'dim'))];
  return `${lines.join('\n')}\n`;
}

function cellsOf({ setting, value, layer, scope, bounds }: PolicyRow): readonly string[] {
  const { task, except = [], ...rest } = scope;
  const named = (part: Omit<PolicyRow['scope'], 'except'>) =>
    Object.entries(part).flatMap(([name, wanted]) => (typeof wanted === 'string' ? [`${name} ${plain(wanted)}`] : []));
  const where = [...named(rest), ...except.map((part) => `not ${named(part).join(', ')}`)];
  if (task !== undefined) where.unshift(plain(task));
  // If 0 is below the bounds, it switches the setting off.
  const isOff = value === 0 && bounds !== undefined && bounds.min > 0;
  return [setting, isOff ? 'off' : shownSetting(value), layer, boundsWords(bounds), where.join(', ')];
}

function boundsWords(bounds: PolicyRow['bounds']): string {
  if (!bounds) return '';
  const { min, max, unit } = bounds;
  return max === 0 ? 'never' : `${number(min)}–${number(max)} ${unit}`;
}

function shownSetting(value: PolicyRow['value']): string {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((name) => plain(String(name))).join(', ');
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, share]) => `${plain(name)} ${percentOf(Number(share))} %`);
    return parts.length === 0 ? 'none' : parts.join(', ');
  }
  return plain(String(value));
}

/** Formats a number; shares keep their fraction, and millions are short so that the table fits 80 columns. */
function number(value: number): string {
  if (value >= 1_000_000 && value % 100_000 === 0) return `${value / 1_000_000}M`;
  return Number.isInteger(value) ? whole(value) : String(value);
}
