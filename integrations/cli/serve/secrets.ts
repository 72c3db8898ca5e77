import { unlink, writeFile } from 'node:fs/promises';
import { LoopError } from 'rsi-loop';
import { isLoopbackAddress } from '../../http/guard.js';
import { readSecret } from '../../http/secret.js';

/** Environment variables with the secrets. Arguments would be readable by every user of the machine. */
export const SECRET_VARIABLES = {
  token: 'RSI_TOKEN',
  hmacSecret: 'RSI_HMAC_SECRET',
  decisionToken: 'RSI_DECISION_TOKEN',
} as const;

export type Secrets = { readonly [Name in keyof typeof SECRET_VARIABLES]?: string };

/**
 * Reads the secrets from the environment.
 * @throws LoopError `invalid-input` naming a variable that is too short to be a secret.
 */
export function readSecrets(environment: NodeJS.ProcessEnv): Secrets {
  const secrets: { -readonly [Name in keyof Secrets]: string } = {};
  for (const name of Object.keys(SECRET_VARIABLES) as (keyof Secrets)[]) {
    const variable = SECRET_VARIABLES[name];
    // A variable that is set to nothing is not set.
    const value = readSecret(variable, environment[variable] || undefined);
    if (value !== undefined) secrets[name] = value;
  }
  return secrets;
}

/**
 * Checks that an address is safe. `accepted` names the secrets that protect the server.
 * @throws LoopError `invalid-input` for an address that others can reach without credentials.
 */
export function mustBeSafe(host: string, secrets: Secrets, accepted: readonly (keyof Secrets)[]): void {
  if (isLoopbackAddress(host) || accepted.some((name) => secrets[name] !== undefined)) return;
  const variables = accepted.map((name) => SECRET_VARIABLES[name]).join(' or ');
  throw new LoopError(
    'invalid-input',
    `others can reach --host ${host}: set ${variables} in the environment, or leave --host out`,
  );
}

/** Writes a secret into a file that only this user can read. Replaces an existing file; a link is not followed. */
export async function writeSecret(path: string, secret: string): Promise<void> {
  await unlink(path).catch(() => undefined);
  await writeFile(path, `${secret}\n`, { flag: 'wx', mode: 0o600 });
}
