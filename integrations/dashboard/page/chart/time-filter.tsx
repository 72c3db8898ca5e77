import { DAY_MS } from '../lib/format.js';
import { useTimeRange } from './use-time-range.js';

const CHOICES: readonly (readonly [days: number, label: string])[] = [
  [1, 'last day'],
  [3, 'last 3 days'],
];

/** Selects a time for all charts of the screen without a pointer. `untilMs` is the end of their axis. */
export function TimeFilter({ untilMs }: { readonly untilMs: number }) {
  const { range, select, clear } = useTimeRange();
  const days = CHOICES.find(([one]) => range?.toMs === untilMs && range.fromMs === untilMs - one * DAY_MS)?.[0];
  const choose = (text: string) => {
    const chosen = Number(text);
    if (chosen > 0) select({ fromMs: untilMs - chosen * DAY_MS, toMs: untilMs });
    else clear();
  };
  return (
    <label class="filter">
      Time
      <select value={days ?? (range ? 'other' : '')} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">all</option>
        {CHOICES.map(([one, label]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
        {range && days === undefined ? <option value="other">as selected</option> : null}
      </select>
    </label>
  );
}
