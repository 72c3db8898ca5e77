import { LoopError } from 'rsi-loop';

/** Process that `rsi services` runs, as a person configures it. */
export interface ServiceConfig {
  /** Program and its arguments, each a text of its own. No shell reads them. */
  readonly command?: readonly string[];
  /** Working folder. Default: the one of the configuration file. */
  readonly cwd?: string;
  /** Variables added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Address that answers once the service is ready. Without it, a service is ready once it has run for a second. */
  readonly health?: string;
  /** Longest wait until it is ready. Default 120,000 ms; 600,000 for `vllm`, which loads a model. */
  readonly startTimeoutMs?: number;
  /** Wait between SIGTERM and SIGKILL. Default 10,000 ms. */
  readonly stopGraceMs?: number;
  /** Size at which the log file is rotated; three older ones are kept. Default 10,000,000. */
  readonly maxLogBytes?: number;
  /** Container image for `rsi services print compose`. */
  readonly image?: string;
}

/** Service with its defaults filled in. */
export interface Service extends Required<Omit<ServiceConfig, 'health' | 'image'>> {
  readonly name: string;
  readonly health?: string;
  readonly image?: string;
}

/** Defaults of services that are known by name. */
const KNOWN: Readonly<Record<string, (rsi: readonly string[]) => ServiceConfig>> = {
  vllm: () => ({ health: 'http://127.0.0.1:8000/health', startTimeoutMs: 600_000, image: 'vllm/vllm-openai' }),
  ollama: () => ({
    command: ['ollama', 'serve'],
    health: 'http://127.0.0.1:11434/api/version',
    image: 'ollama/ollama',
  }),
  hub: (rsi) => ({ command: [...rsi, 'serve'], health: 'http://127.0.0.1:7747/health' }),
};

/** Names that need no configuration. */
export const READY_MADE = ['ollama', 'hub'] as const;

/**
 * Returns a service by name. `rsi` is the command line of this program, for the hub.
 * @throws LoopError `invalid-input` for an unknown name or a service without a command.
 */
export function serviceOf(
  name: string,
  configured: Readonly<Record<string, ServiceConfig>>,
  { rsi, folder }: { readonly rsi: readonly string[]; readonly folder: string },
): Service {
  const own = Object.hasOwn(configured, name) ? configured[name] : undefined;
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name]?.(rsi) : undefined;
  if (!own && !known) {
    const names = [...new Set([...Object.keys(configured), ...READY_MADE])].join(', ');
    throw new LoopError(
      'invalid-input',
      `there is no service "${name}": add it to services in rsi.config, or name one of ${names}`,
    );
  }
  const { command = [], health, image, ...rest } = { ...known, ...own };
  if (command.length === 0) {
    const example = name === 'vllm' ? "['vllm', 'serve', 'Qwen/Qwen3-8B']" : "['node', 'server.js']";
    throw new LoopError('invalid-input', `services.${name} has no command: give one such as ${example} in rsi.config`);
  }
  const defaults = { cwd: folder, env: {}, startTimeoutMs: 120_000, stopGraceMs: 10_000, maxLogBytes: 10_000_000 };
  return { ...defaults, ...rest, name, command, ...(health && { health }), ...(image && { image }) };
}
