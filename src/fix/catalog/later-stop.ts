import { SETTINGS, type Settings } from '../../contract/settings.js';
import type { CatalogEntry } from '../candidate.js';

/** Setting of the watch by the reason of a stop. */
const SETTING_OF = {
  silence: 'watch.silenceMs',
  loop: 'watch.repeats',
  errors: 'watch.errors',
  'nothing-new': 'watch.nothingNew',
} as const;
const WRONG = 'wrong_stop_';
const STEP = 1.5;

/** Returns the issue of a stop that a person found wrong; undefined for stops that no setting moves. */
export function wrongStopOf(why: string): string | undefined {
  return Object.hasOwn(SETTING_OF, why) ? `${WRONG}${why.replace('-', '_')}` : undefined;
}

/** Stops runs of a task later, if people found stops for this reason wrong. */
export const laterStop: CatalogEntry = {
  name: 'later-stop',
  match: ({ kind, issue }) => kind === 'failure' && issue.startsWith(WRONG),
  propose({ issue, count }, { policy }) {
    const found = Object.entries(SETTING_OF).find(([reason]) => wrongStopOf(reason) === issue);
    if (!found) return [];
    const [why, name] = found;
    const rule = SETTINGS[name];
    const now = policy[name];
    const later = Math.min(rule.type === 'number' ? rule.max : now, Math.ceil(now * STEP));
    if (later <= now) return [];
    const set: Settings = { [name]: later };
    const reason = `people found ${count} stops for ${why} wrong: stop at ${later} instead of ${now}`;
    return [{ set, safe: true, reason }];
  },
};
