import type { ServiceConfig } from '../../services/service.js';
import { custom, number, object, path, table, text, url } from '../check-config.js';

/** Services that `rsi services` runs, by name. */
export type ServicesConfig = Readonly<Record<string, ServiceConfig>>;

const milliseconds = (min: number) => number(`milliseconds, from ${min} to a day`, { min, max: 86_400_000 });

export const servicesCheck = table(
  object<ServiceConfig>({
    command: custom("a list of texts, such as ['vllm', 'serve', 'Qwen/Qwen3-8B']: no shell reads it", isCommand),
    cwd: path('a folder'),
    env: table(custom('a text', isText), /^[A-Za-z_]\w*$/, 'the name of a variable'),
    health: url(),
    startTimeoutMs: milliseconds(1),
    stopGraceMs: milliseconds(0),
    maxLogBytes: number('bytes, at least 10,000', { min: 10_000 }),
    image: text(),
  }),
);

/** An argument may be empty, the name of the program may not. */
function isCommand(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && value.length > 0 && value[0] !== '';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}
