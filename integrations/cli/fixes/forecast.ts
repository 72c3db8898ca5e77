import type { Fix } from 'rsi-loop';
import { counted } from '../terminal/numbers.js';
import { plain } from '../terminal/text.js';

/** Describes what is needed to show that the fix halves the failures: `about 284 tasks, 3 hours`. */
export function forecastWords({ forecast, unit }: Fix): string {
  if (forecast.kind === 'not-testable') return `not testable here: ${plain(forecast.reason)}`;
  const units = `about ${counted(forecast.tasks, unit === 'session' ? 'session' : 'task')}`;
  // Less than a day of data was seen, so a figure in days would be a guess.
  return forecast.days === undefined ? units : `${units}, ${days(forecast.days)}`;
}

/** Formats a duration, rounded up to whole days or hours: `3 days`, `5 hours`. */
function days(value: number): string {
  return value >= 2 ? counted(Math.ceil(value), 'day') : counted(Math.max(1, Math.ceil(value * 24)), 'hour');
}
