import { wordSet } from '../lib/word-set.js';

/** Which names (of keys, headers, variables, parameters) say that their value is a secret. */

/**
 * `strong`: whatever stands behind it is a secret (`password`, `api_key`, `cookie`). `weak`: it may be one and may be an
 * ordinary thing (`token`, `signature`), so the value has to look like one as well.
 */
export type SecretName = 'strong' | 'weak' | undefined;

const STRONG_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'password passwd passwort pwd passphrase passcode secret secrets apikey apikeys authtoken accesstoken ' +
    'refreshtoken idtoken sessiontoken bearertoken credential credentials authorization cookie cookies jwt ' +
    'accountkey accesskey secretkey privatekey sharedaccesskey sharedaccesssignature dsn',
);

/** Words that make a secret only together: `api-key`, `private key`, `access_token`. */
const STRONG_PAIRS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'api-key api-keys api-token auth-token auth-key access-token access-key account-key refresh-token ' +
    'id-token session-token session-key bearer-token private-key secret-key master-key signing-key ' +
    'encryption-key service-key subscription-key csrf-token xsrf-token client-secret pass-word ' +
    'connection-string proxy-authorization security-token ssh-key',
);

const WEAK_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet('token auth bearer signature sig pass pat otp');

/** What is counted, described or configured about a secret is not the secret: `token_count`, `password_length`. */
const HARMLESS_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'count counts length len limit limits budget usage used max min total type types expires expiry ' +
    'expiration expired ttl age enabled required policy url uri endpoint name path file hint strength ' +
    'field method mode status valid missing error errors per rate price cost',
);

const MAX_NAME_LENGTH = 80;

/** Quick refusal: no secret name is without one of these. */
export const NAME_HINT = /pass|pwd|secret|token|key|auth|cookie|cred|jwt|dsn|sig|pat|otp|bearer|connection/i;

/** Judges a key, header or variable name in any spelling: `apiKey`, `API_KEY`, `x-api-key`, `openai.api.key`. */
export function secretName(name: string): SecretName {
  if (name.length < 3 || name.length > MAX_NAME_LENGTH || !NAME_HINT.test(name)) return undefined;
  const words = splitWords(name);
  let found: SecretName;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (HARMLESS_WORDS.has(word)) return undefined;
    if (found === 'strong') continue;
    if (STRONG_WORDS.has(word) || STRONG_PAIRS.has(`${word}-${words[index + 1] ?? ''}`)) found = 'strong';
    else if (WEAK_WORDS.has(word)) found = 'weak';
  }
  return found;
}

function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
