import type { DashboardEvent, DecisionRequest, FixRow, Views } from '../views.js';

/** Source of everything that the server sends. The server has no other way to the records. */
export interface ViewSource {
  /** Name suggested for decisions. */
  readonly user?: string | undefined;
  /** @throws LoopError `invalid-input` for a bad parameter; resolves undefined if no record has the id. */
  view<Name extends keyof Views>(
    name: Name,
    params: Readonly<Record<string, string>>,
  ): Promise<Views[Name] | undefined>;
  /** Reads the store if it received something. Resolves soon even if reading takes long. */
  follow(): Promise<void>;
  /** Makes one decision. The answer holds the fix that it was about. */
  decide(request: DecisionRequest): Promise<{ readonly fix?: FixRow }>;
  /** Calls `handler` for every event. Returns an unsubscribe function. */
  onEvent(handler: (event: DashboardEvent) => void): () => void;
  close(): Promise<void>;
}
