/** The part of opossum that the benchmark uses; the package carries no types. */
declare module 'opossum' {
  export default class CircuitBreaker<Value> {
    constructor(action: () => Promise<Value>, options: { timeout: number; errorThresholdPercentage: number });
    fire(): Promise<Value>;
    shutdown(): void;
  }
}
