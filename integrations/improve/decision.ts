/** Answer of a person, or of a stated rule, about a version. The newest one holds. */
export interface VersionDecision {
  readonly kind: 'approved' | 'rejected';
  /** Name of the person or rule that decided. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly reason?: string;
}
