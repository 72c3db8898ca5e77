/** A part of a text, from `start` up to but not including `end`, and what it holds. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}
