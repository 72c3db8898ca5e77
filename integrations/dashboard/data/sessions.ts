import type { SessionsView, SessionView } from '../views.js';
import type { DataSource, ViewParams } from './source.js';

export function sessionsView({ recent }: DataSource, _params: ViewParams): SessionsView {
  return { sessions: [], found: 0, searched: recent.size };
}

/** Returns undefined for a session without stored outcomes. */
export function sessionView(_source: DataSource, _params: ViewParams): SessionView | undefined {
  return undefined;
}
