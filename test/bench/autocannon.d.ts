/** The part of autocannon that the benchmark uses; the package carries no types. */
declare module 'autocannon' {
  interface Result {
    readonly requests: { readonly average: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  export default function autocannon(options: {
    url: string;
    method: 'POST';
    headers: Readonly<Record<string, string>>;
    body: string;
    connections: number;
    duration: number;
  }): Promise<Result>;
}
