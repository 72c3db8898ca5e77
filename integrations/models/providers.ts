import { LoopError } from 'rsi-loop';
import { fromEnvironment } from './read-values.js';
import { addressText, mustBeTexts } from './text-option.js';

/** Remote provider and the environment variable of its key. */
export interface Provider {
  readonly name: string;
  readonly keyName: string;
  /** Address of the API; the rest of the path is that of the OpenAI protocol, except at Anthropic. */
  readonly url: string;
}

/** Providers that are known by name. Any other with the OpenAI protocol works by its address. */
export const PROVIDERS: readonly Provider[] = [
  { name: 'anthropic', keyName: 'ANTHROPIC_API_KEY', url: 'https://api.anthropic.com' },
  { name: 'openai', keyName: 'OPENAI_API_KEY', url: 'https://api.openai.com/v1' },
  { name: 'google', keyName: 'GEMINI_API_KEY', url: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { name: 'mistral', keyName: 'MISTRAL_API_KEY', url: 'https://api.mistral.ai/v1' },
  { name: 'groq', keyName: 'GROQ_API_KEY', url: 'https://api.groq.com/openai/v1' },
  { name: 'deepseek', keyName: 'DEEPSEEK_API_KEY', url: 'https://api.deepseek.com/v1' },
  { name: 'xai', keyName: 'XAI_API_KEY', url: 'https://api.x.ai/v1' },
  { name: 'openrouter', keyName: 'OPENROUTER_API_KEY', url: 'https://openrouter.ai/api/v1' },
];

/** Returns the known provider at an address. */
export function providerAt(url: string | URL): Provider | undefined {
  const host = hostOf(url);
  return PROVIDERS.find((provider) => hostOf(provider.url) === host);
}

/**
 * Returns the key for an address, from the environment.
 * @throws LoopError `invalid-input` if there is none, or if it would be sent unencrypted.
 */
export function keyFor(url: string | URL, keyName: string | undefined): string {
  mustBeTexts({ keyName });
  addressText(url);
  const name = keyName ?? providerAt(url)?.keyName;
  if (name === undefined) {
    throw new LoopError(
      'invalid-input',
      `${hostOf(url)} is not a known provider: name the variable of its key as keyName`,
    );
  }
  const key = fromEnvironment(name);
  if (key === undefined)
    throw new LoopError('invalid-input', `the environment variable ${name} is not set: it holds the key`);
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) {
    throw new LoopError(
      'invalid-input',
      `the key in ${name} would be sent unencrypted to ${hostname}: give an https address`,
    );
  }
  return key;
}

/** Returns the values of all known keys that are set, which no message may contain. */
export function keysInEnvironment(): readonly string[] {
  return PROVIDERS.flatMap(({ keyName }) => fromEnvironment(keyName) ?? []).filter((key) => key.length >= 6);
}

function hostOf(url: string | URL): string {
  return URL.canParse(String(url)) ? new URL(url).host : String(url);
}
