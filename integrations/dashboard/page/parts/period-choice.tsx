import { useState } from 'preact/hooks';
import { readChosenTime } from '../../time-range.js';
import { shortDay } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';

const CHOICES: readonly (readonly [range: string, label: string])[] = [
  ['30d', 'newest 30 days'],
  ['90d', 'newest 90 days'],
  ['all', 'all records'],
];

/** Name of the window of the loop, which shows its days. */
export const WINDOW = 'newest days';

/** Name of all times, for screens that show them by default. */
export const ALL_TIMES = 'all times';

/** Chooses the time that the figures cover. The address keeps it, and every link. */
export function PeriodChoice({ byDefault }: { readonly byDefault: string }) {
  const { route, state, setQuery } = usePage();
  const { range } = route.query;
  const chosen = range === undefined ? undefined : readChosenTime(range);
  const [isAsking, setAsking] = useState(false);
  const isBetween = chosen?.kind === 'between';
  const window = state.status?.window;
  const hasAll = byDefault !== ALL_TIMES;
  const choices = hasAll ? CHOICES : CHOICES.filter(([one]) => one !== 'all');
  const value = isAsking || isBetween ? 'between' : range === 'all' && !hasAll ? '' : (range ?? '');
  const choose = (text: string) => {
    setAsking(text === 'between');
    // A part of a chart that was selected may be in no other period.
    if (text !== 'between') setQuery({ range: text, from: undefined, to: undefined });
  };
  return (
    <div class="period corner">
      <label>
        <span class="unseen">Period</span>
        <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">{byDefault === WINDOW && window ? windowText(window) : byDefault}</option>
          {choices.map(([one, label]) => (
            <option key={one} value={one}>
              {label}
            </option>
          ))}
          <option value="between">from a day to a day</option>
        </select>
      </label>
      {value === 'between' ? (
        <Days
          first={isBetween ? chosen.sinceMs : window?.sinceMs}
          last={isBetween ? chosen.untilMs : window?.untilMs}
        />
      ) : null}
    </div>
  );
}

/** Two days. Both belong to the period. */
function Days({ first, last }: { readonly first: number | undefined; readonly last: number | undefined }) {
  const { setQuery } = usePage();
  const [from, setFrom] = useState(first === undefined ? '' : isoDay(first));
  const [to, setTo] = useState(last === undefined ? '' : isoDay(last));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const range = `${from}..${to}`;
    if (readChosenTime(range)) setQuery({ range, from: undefined, to: undefined });
  };
  return (
    <form class="days" onSubmit={submit}>
      <input type="date" aria-label="First day" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
      <input type="date" aria-label="Last day" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      <button type="submit">Show</button>
    </form>
  );
}

function windowText({ sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number }): string {
  const year = new Date(untilMs).getFullYear();
  const isPast = year !== new Date().getFullYear();
  return `${shortDay(sinceMs)} to ${shortDay(untilMs)}${isPast ? ` ${year}` : ''}`;
}

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
