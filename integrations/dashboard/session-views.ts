import type { Issue, Outcome } from 'rsi-loop';

/** `GET api/sessions?q=&pattern=&task=&model=&tool=&limit=` */
export interface SessionsView {
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  /** Sessions that match, of which `sessions` may be the newest part. */
  readonly found: number;
  readonly searched: number;
}

export interface SessionRow {
  readonly id: string;
  readonly agent?: string;
  readonly source: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly calls: number;
  readonly failures: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly models: readonly string[];
  /** Task and class of its last failure. */
  readonly lastFailure?: { readonly task: string; readonly issue: Issue };
}

/** `GET api/sessions/:id` */
export interface SessionView {
  readonly session: SessionRow;
  /** Calls in the order they ended; at most 2,000, the newest. */
  readonly calls: readonly Outcome[];
  /** Calls of the session that were left out. */
  readonly omitted: number;
  /** Patterns of its failures, by outcome id. */
  readonly patterns: Readonly<Record<string, string>>;
  /** Rules that its tasks were given, with the arm of those on trial. */
  readonly advice: readonly {
    readonly fixId: string;
    readonly text: string;
    readonly arm: 'fix' | 'control' | 'in-force';
  }[];
}
