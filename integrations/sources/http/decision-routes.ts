import type { Answer, Fix } from 'rsi-loop';
import { decision, FIX_ANSWER, ID_PARAMS } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

/**
 * Routes `POST /fixes/:id/{approve,reject,rollback,reconsider}`. Every decision names its author and is in the ledger before the
 * answer.
 */
export function decisionRoutes({ loop }: Service): readonly Route[] {
  return [
    decisionRoute('approve', 'Let a proposed fix begin its trial, or keep one that could not be proven', (id, answer) =>
      loop.approve(id, answer),
    ),
    decisionRoute('reject', 'Reject a proposal; a reason is needed', (id, { by, reason = '' }) =>
      loop.reject(id, { by, reason }),
    ),
    decisionRoute('rollback', 'Take a fix back that is on trial or in force', (id, answer) =>
      loop.rollback(id, answer),
    ),
    decisionRoute('reconsider', 'Take a rejection or a rollback back: propose the fix again', (id, answer) =>
      loop.reconsider(id, answer),
    ),
  ];
}

function decisionRoute(verb: string, summary: string, decide: (id: string, answer: Answer) => Promise<Fix>): Route {
  return {
    method: 'POST',
    url: `/fixes/:id/${verb}`,
    summary,
    params: ID_PARAMS,
    body: { [JSON_TYPE]: decision({ needsReason: verb === 'reject' }) },
    answers: { status: 200, description: 'Decided; the fix as it is now.', content: { [JSON_TYPE]: FIX_ANSWER } },
    isDecision: true,
    handler: async ({ params: { id = '' }, body }) => {
      const { by, reason } = body as Answer; // as the schema says; other fields do not reach the ledger
      return { fix: await decide(id, { by, ...(reason !== undefined && { reason }) }) };
    },
  };
}
