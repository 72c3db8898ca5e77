import { LoopError } from '../errors.js';
import type { EraseFilter } from '../ports.js';
import type { JournalRecord } from '../records.js';

/** Whether a record is one of those a person asked to erase. A filter without a field would erase everything: refused. */
export function eraseMatcher(filter: EraseFilter): (record: JournalRecord) => boolean {
  const { session, source } = filter;
  if (session === undefined && source === undefined) {
    throw new LoopError('invalid-input', 'erase needs a session or a source: give at least one of them');
  }
  return (record) => {
    const found =
      record.kind === 'start'
        ? { session: record.start.session, source: record.start.scope.source }
        : { session: record.outcome.session, source: record.outcome.source };
    return (session === undefined || found.session === session) && (source === undefined || found.source === source);
  };
}
