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
  /** First request of the person, redacted; only of a session that was imported from a transcript. */
  readonly name?: string;
  readonly agent?: string;
  readonly source: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly calls: number;
  readonly failures: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly models: readonly string[];
  /** Its last failure, with the beginning of the message. */
  readonly lastFailure?: { readonly task: string; readonly issue: Issue; readonly message?: string };
}

/** `GET api/transcripts/:id?call=`: content of a session, read from the file it was imported from, and kept nowhere. */
export interface TranscriptView {
  /** Requests of the person, oldest first, redacted; each at most 2,000 characters. */
  readonly requests: readonly { readonly atMs: number; readonly text: string }[];
  /** Most telling argument of each call, such as its file or command, by outcome id; at most 160 characters. */
  readonly about: Readonly<Record<string, string>>;
  /** Why there is no content. */
  readonly missing?: string;
  /** Arguments, result and words of the call that was asked for, redacted; each at most 100,000 characters. */
  readonly call?: { readonly input?: string; readonly result?: string; readonly said?: string };
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
  /** Rules, texts and skills that its tasks were given or that a trial withheld. */
  readonly advice: readonly {
    readonly fixId: string;
    readonly text: string;
    readonly arm: 'fix' | 'control' | 'in-force';
  }[];
  /** Session without a failure that is most like this one, if this one has failures. */
  readonly good?: { readonly id: string; readonly lastMs: number; readonly tasks: readonly string[] };
}
