import type { JournalRecord, OutcomeId } from 'rsi-loop';

const ERROR = '429 Too Many Requests: rate limit exceeded for org-1234, retry after 20s';

/** An outcome of usual size, with a number that its id holds. */
export function benchRecord(number: number): Extract<JournalRecord, { kind: 'outcome' }> {
  return {
    kind: 'outcome',
    outcome: {
      id: `o${number}` as OutcomeId, // an id of the test's own
      task: 'api_call',
      success: number % 5 !== 0,
      atMs: 1_767_225_600_000 + number,
      source: 'generic',
      model: 'sonnet',
      durationMs: 812 + (number % 100),
      ...(number % 5 === 0
        ? { error: { message: ERROR, status: 429 }, issues: ['rate_limit'], fingerprint: '0123456789abcdef' }
        : { issues: [] }),
    },
  };
}
