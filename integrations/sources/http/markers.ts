import { mark } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import { RateLimit, senderOf } from '../../http/rate-limit.js';
import { MARKED, MARKER } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

interface MarkerBody {
  readonly kind?: string;
  readonly label: string;
  readonly by?: string;
}

/** Markers stay in the ledger, so a sender that repeats them without end is slowed down. */
const PER_SECOND = 1;
const AT_ONCE = 100;

/** Route `POST /markers`: `mark` for deploy scripts and for programs in any language. */
export function markerRoutes({ loop, settings, ingest }: Service): readonly Route[] {
  const rate = new RateLimit(PER_SECOND, settings.clock, 'markers', AT_ONCE);
  return [
    {
      method: 'POST',
      url: '/markers',
      summary: 'Note a deploy or another change; the same text again changes nothing',
      body: { [JSON_TYPE]: MARKER },
      answers: { status: 201, description: 'The marker is in the ledger.', content: { [JSON_TYPE]: MARKED } },
      handler: async ({ raw, body }) => {
        ingest.mustKeepUp();
        const { kind = 'deploy', label, by = 'http' } = body as MarkerBody; // as the schema says
        rate.take(senderOf(raw.socket.remoteAddress));
        const marker = await mark(loop, kind, label, { by });
        if (marker === undefined) throw new Problem(503, 'the store did not keep the marker', { retryAfterS: 5 });
        return marker;
      },
    },
  ];
}
