import type { PolicyLayer, PolicyRow } from 'rsi-loop';
import { wrap } from '../terminal/lines.js';
import { percentOf, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { columns, cut, padEnd, padStart, plain } from '../terminal/text.js';

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

export function policyReport(rows: readonly PolicyRow[], task: string | undefined): PolicyReport {
  const wanted = rows.filter(({ scope }) => task === undefined || scope.task === undefined || scope.task === task);
  // Later rows override earlier ones.
  const names = [...new Set(wanted.map(({ setting }) => setting))];
  const settings = names.flatMap((name) => wanted.filter(({ setting }) => setting === name));
  return { format: 'rsi-policy/1', task: task ?? null, settings };
}

const GAP = '  ';
const HEADS = { setting: 'setting', value: 'value', layer: 'layer', bounds: 'bounds', scope: 'where' };
type Cells = { readonly [Name in keyof typeof HEADS]: string };

/** Style per layer, from the lowest layer to the highest. */
const STYLES: Readonly<Record<PolicyLayer, Parameters<Paint>[0]>> = {
  default: 'dim',
  user: 'bold',
  confirmed: 'green',
  trial: 'cyan',
};

/** Renders the settings as one table, in lines of at most `width` columns. */
export function renderPolicy(
  { settings, task }: PolicyReport,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const rows = settings.map((row) => ({ layer: row.layer, cells: cellsOf(row) }));
  const widest = (name: keyof Cells, most = width) => {
    return Math.min(most, Math.max(columns(HEADS[name]), ...rows.map(({ cells }) => columns(cells[name]))));
  };
  const [setting, layer, bounds] = [widest('setting'), widest('layer'), widest('bounds')];
  const value = widest('value', 20);
  const scope = Math.max(10, width - setting - value - layer - bounds - 4 * GAP.length);
  const linesOf = (cells: Cells) => {
    const [where = '', ...more] = wrap(cells.scope, scope);
    const first = [
      padEnd(cells.setting, setting),
      padStart(cut(cells.value, value), value),
      padEnd(cells.layer, layer),
      padEnd(cells.bounds, bounds),
      where,
    ];
    const indent = ' '.repeat(setting + value + layer + bounds + 4 * GAP.length);
    return [first.join(GAP).trimEnd(), ...more.map((text) => indent + text)];
  };
  const lines = [
    ...linesOf(HEADS).map((line) => paint('dim', line)),
    ...rows.flatMap((row) => linesOf(row.cells).map((line) => paint(STYLES[row.layer], line))),
  ];
  const changed = rows.some((row) => row.layer === 'confirmed' || row.layer === 'trial');
  const notes = [
    ...(changed ? [] : [`no fix is in force or on trial${task === null ? '' : ` for ${plain(task)}`}`]),
    'of one setting, later rows lie over earlier ones; a trial holds for the tasks drawn for it',
    'what your code gives to the loop as policy or bounds is not kept in the folder: it is not shown',
  ];
  return `${[...lines, '', ...notes.flatMap((note) => wrap(note, width)).map((note) => paint('dim', note))].join('\n')}\n`;
}

function cellsOf({ setting, value, layer, scope, bounds }: PolicyRow): Cells {
  const { task, except = [], ...rest } = scope;
  const named = (part: Omit<PolicyRow['scope'], 'except'>) =>
    Object.entries(part).flatMap(([name, wanted]) => (typeof wanted === 'string' ? [`${name} ${plain(wanted)}`] : []));
  const where = [...named(rest), ...except.map((part) => `not ${named(part).join(', ')}`)];
  if (task !== undefined) where.unshift(plain(task));
  // If 0 is below the bounds, it switches the setting off.
  const isOff = value === 0 && bounds !== undefined && bounds.min > 0;
  return {
    setting,
    value: isOff ? 'off' : shown(value),
    layer,
    bounds: boundsWords(bounds),
    scope: where.join(', '),
  };
}

function boundsWords(bounds: PolicyRow['bounds']): string {
  if (!bounds) return '';
  const { min, max, unit } = bounds;
  return max === 0 ? 'never' : `${number(min)}–${number(max)} ${unit}`;
}

function shown(value: PolicyRow['value']): string {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((name) => plain(String(name))).join(', ');
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, share]) => `${plain(name)} ${percentOf(Number(share))} %`);
    return parts.length === 0 ? 'none' : parts.join(', ');
  }
  return plain(String(value));
}

/** Formats a number; shares keep their fraction. */
function number(value: number): string {
  return Number.isInteger(value) ? whole(value) : String(value);
}
