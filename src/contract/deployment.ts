/** Release that a process runs, and the place where it runs. Constant for the life of the process. */
export interface Deployment {
  readonly service?: string;
  /** Release of the service, e.g. `1.4.2`. */
  readonly version?: string;
  readonly region?: string;
  readonly host?: string;
}

export const DEPLOYMENT_KEYS = [
  'service',
  'version',
  'region',
  'host',
] as const satisfies readonly (keyof Deployment)[];
