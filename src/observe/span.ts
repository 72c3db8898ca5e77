/** Part of a text, from `start` (inclusive) to `end` (exclusive), and what it contains. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}
