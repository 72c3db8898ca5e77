import type { Fix } from 'rsi-loop';
import { counted } from '../terminal/numbers.js';
import { plain } from '../terminal/text.js';

/** What it would take to show that the fix halves the failures: `about 284 tasks, 3 hours`. */
export function forecastWords({ forecast, unit }: Fix): string {
  if (forecast.kind === 'not-testable') return `not testable here: ${plain(forecast.reason)}`;
  const units = `about ${counted(forecast.tasks, unit === 'session' ? 'session' : 'task')}`;
  // Less than a day was seen: a figure in days would be a guess.
  return forecast.days === undefined ? units : `${units}, ${days(forecast.days)}`;
}

/** `3 days`, `5 hours`: rounded up, as nobody waits for a part of an hour. */
function days(value: number): string {
  return value >= 2 ? counted(Math.ceil(value), 'day') : counted(Math.max(1, Math.ceil(value * 24)), 'hour');
}
