/** Secrets that show by their shape alone, whatever stands around them. One row per issuer or form. */
export interface SecretShape {
  readonly name: string;
  /** Text without any of these cannot hold the shape; found by plain search, before the pattern runs. */
  readonly hints: readonly string[];
  /** Global, and linear: no repetition inside a repetition, every repetition bounded or of one character class. */
  readonly pattern: RegExp;
  /** A last look at what matched, where the pattern alone would take ordinary text. */
  readonly accepts?: (match: string) => boolean;
}

/** Nothing of a word directly before it. */
const EDGE = '(?<![A-Za-z0-9_-])';

function shape(
  name: string,
  hints: readonly string[],
  pattern: string,
  accepts?: (match: string) => boolean,
): SecretShape {
  return { name, hints, pattern: new RegExp(pattern, 'g'), ...(accepts && { accepts }) };
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  // A key without its end was cut somewhere: everything after the beginning goes.
  shape(
    'private-key',
    ['-----BEGIN'],
    '-----BEGIN[A-Z0-9 ]{0,60}PRIVATE +KEY[A-Z ]{0,20}-----[^]*?(?:-----END[A-Z0-9 ]{0,60}-----|$)',
  ),
  shape('putty-key', ['Private-Lines:'], 'Private-Lines: ?[0-9]+[^]*$'),
  shape('age-key', ['AGE-SECRET-KEY-'], 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'),
  shape('anthropic-key', ['sk-ant-'], `sk-ant-[A-Za-z0-9_-]{16,}`),
  shape('openai-key', ['sk-'], `${EDGE}sk-[A-Za-z0-9_-]{16,}`, hasDigit),
  shape(
    'stripe-key',
    ['k_live_', 'k_test_', 'whsec_'],
    '(?:[spr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,})',
  ),
  shape(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})',
  ),
  shape('gitlab-token', ['gl'], `${EDGE}gl(?:pat|dt|rt|ptt|ft|oas|soat|cbt|imt|agent|ffct)-[A-Za-z0-9_.-]{16,}`),
  shape(
    'aws-key-id',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    '(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ),
  shape('google-key', ['AIza'], 'AIza[A-Za-z0-9_-]{30,}'),
  shape(
    'google-token',
    ['ya29.', 'GOCSPX-', '1//0'],
    '(?:ya29\\.[A-Za-z0-9_.-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|(?<![A-Za-z0-9])1//0[A-Za-z0-9_-]{30,})',
  ),
  shape(
    'slack-token',
    ['xox', 'xapp-', 'xwfp-'],
    '(?:xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,}|xwfp-[A-Za-z0-9-]{10,})',
  ),
  shape(
    'slack-webhook',
    ['hooks.slack.com/'],
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{10,}',
  ),
  shape('discord-webhook', ['/api/webhooks/'], 'discord(?:app)?\\.com/api/webhooks/[0-9]{5,}/[A-Za-z0-9_-]{20,}'),
  shape('npm-token', ['npm_'], `${EDGE}npm_[A-Za-z0-9]{30,}`),
  shape('pypi-token', ['pypi-'], 'pypi-[A-Za-z0-9_-]{50,}'),
  shape('rubygems-key', ['rubygems_'], 'rubygems_[a-f0-9]{40,}'),
  shape('docker-token', ['dckr_'], 'dckr_[a-z]{3}_[A-Za-z0-9_-]{20,}'),
  shape('huggingface-token', ['hf_', 'api_org_'], `${EDGE}(?:hf_[A-Za-z0-9]{28,}|api_org_[A-Za-z0-9]{28,})`),
  shape('replicate-token', ['r8_'], `${EDGE}r8_[A-Za-z0-9]{30,}`),
  shape('groq-key', ['gsk_'], `${EDGE}gsk_[A-Za-z0-9]{30,}`),
  shape('xai-key', ['xai-'], `${EDGE}xai-[A-Za-z0-9]{40,}`),
  shape('perplexity-key', ['pplx-'], `${EDGE}pplx-[A-Za-z0-9]{30,}`),
  shape('fireworks-key', ['fw_'], `${EDGE}fw_[A-Za-z0-9]{20,}`, hasDigit),
  shape('nvidia-key', ['nvapi-'], `${EDGE}nvapi-[A-Za-z0-9_-]{40,}`),
  shape('tavily-key', ['tvly-'], `${EDGE}tvly-[A-Za-z0-9-]{20,}`),
  shape('langsmith-key', ['lsv2_'], `${EDGE}lsv2_[a-z]{2}_[A-Za-z0-9_]{30,}`),
  shape('langfuse-key', ['k-lf-'], `${EDGE}[sp]k-lf-[A-Za-z0-9-]{30,}`),
  shape('sendgrid-key', ['SG.'], `${EDGE}SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}`),
  shape('twilio-key', ['SK', 'AC'], '(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])'),
  shape('mailgun-key', ['key-'], `${EDGE}key-[0-9a-f]{32}(?![A-Za-z0-9])`),
  shape('telegram-token', [':AA'], '(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}'),
  shape(
    'discord-token',
    ['.'],
    '(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])',
  ),
  shape('azure-secret', ['Q~'], '(?<![A-Za-z0-9])[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}'),
  shape('azure-devops-token', ['AZDO'], '[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}'),
  shape('databricks-token', ['dapi'], `${EDGE}dapi[0-9a-f]{32}(?:-[0-9])?`),
  shape('digitalocean-token', ['_v1_'], `${EDGE}do[opr]_v1_[0-9a-f]{40,}`),
  shape('shopify-token', ['shp'], `${EDGE}shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`),
  shape('linear-key', ['lin_'], `${EDGE}lin_(?:api|oauth)_[A-Za-z0-9]{30,}`),
  shape('notion-token', ['ntn_', 'secret_'], `${EDGE}(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,})`),
  shape('atlassian-token', ['ATATT', 'ATCTT', 'ATBB'], '(?:ATATT3|ATCTT3|ATBB)[A-Za-z0-9_=-]{20,}'),
  shape('vault-token', ['hvs.', 'hvb.', 'hvr.'], `${EDGE}hv[sbr]\\.[A-Za-z0-9_-]{20,}`),
  shape('pulumi-token', ['pul-'], `${EDGE}pul-[0-9a-f]{40}`),
  shape('doppler-token', ['dp.'], `${EDGE}dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,}`),
  shape('sentry-token', ['sntry'], 'sntry[su]_[A-Za-z0-9+/=_]{30,}'),
  shape('grafana-token', ['glsa_', 'glc_'], '(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,})'),
  shape('new-relic-key', ['NRAK-'], 'NRAK-[A-Z0-9]{20,}'),
  shape('postman-key', ['PMAK-'], 'PMAK-[0-9a-f]{24}-[0-9a-f]{30,}'),
  shape('supabase-key', ['sbp_', 'sb_secret_'], `${EDGE}(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})`),
  shape('square-token', ['EAAA', 'sq0'], '(?<![A-Za-z0-9])(?:EAAA[A-Za-z0-9_-]{56,64}|sq0[a-z]{3}-[A-Za-z0-9_-]{22,})'),
  shape('facebook-token', ['EAA'], '(?<![A-Za-z0-9])EAA[MC][A-Za-z0-9]{80,}'),
  shape('jwt', ['eyJ'], '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{9,}\\.[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){0,3}'),
  // Credentials inside an address: redis://:pw@host, postgres://user:pw@host, https://token@host.
  shape('url-credentials', ['://'], '(?<=://)[^\\s/?#@:"\'<>]{0,200}:[^\\s/?#"\'<>]{1,400}@(?=[^\\s@/])'),
  shape('url-credentials', ['://'], '(?<=https?://)[^\\s/?#@:"\'<>]{16,400}@(?=[^\\s@/])'),
  shape(
    'bearer',
    ['earer', 'EARER'],
    '(?<=\\b[Bb](?:earer|EARER)(?:\\s|\\+){1,4})[A-Za-z0-9._~+/=%-]{8,}',
    looksRandom,
  ),
  shape('basic', ['asic', 'ASIC'], '(?<=\\b[Bb](?:asic|ASIC)(?:\\s|\\+){1,4})[A-Za-z0-9+/]{6,}={0,2}', looksLikeBasic),
  // 40 mixed base64 characters on their own is how an AWS secret access key looks; a git hash has no capitals.
  shape(
    'aws-secret',
    [],
    '(?<![A-Za-z0-9+/_.-])(?:[A-Za-z0-9+/]|%2[BbFf]){40}(?![A-Za-z0-9+/=_.%-])',
    looksLikeAwsSecret,
  ),
  shape('card', [], '(?<![0-9A-Za-z.-])(?:[0-9][ -]?){12,18}[0-9](?![0-9A-Za-z-])', isCardNumber),
];

/** Mixed characters as a generator makes them, not a word, a number or a name with dashes. */
export function looksRandom(text: string): boolean {
  if (text.length < 8) return false;
  if (/^[0-9.,:%+-]+$/.test(text)) return false;
  const digits = count(text, /[0-9]/g);
  if (digits === 0) return text.length >= 16 && caseChanges(text) >= 3;
  return digits >= 2 || caseChanges(text) >= 2 || text.length >= 16;
}

function caseChanges(text: string): number {
  return count(text, /[a-z][A-Z]/g) + count(text, /[A-Z]{2}[a-z]/g);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function hasDigit(text: string): boolean {
  return /[0-9]/.test(text);
}

/** `Basic dXNlcjpwYXNz`, not `Basic authentication`. */
function looksLikeBasic(text: string): boolean {
  return text.endsWith('=') || hasDigit(text) || caseChanges(text) >= 2;
}

function looksLikeAwsSecret(text: string): boolean {
  const upper = count(text, /[A-Z]/g);
  const lower = count(text, /[a-z]/g);
  const digits = count(text, /[0-9]/g);
  // A path has long lower-case words between its slashes.
  return upper >= 5 && lower >= 5 && digits >= 1 && !/[a-z]{9}/.test(text);
}

/** Luhn's check, and the first digits and lengths that cards have. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^(?:4|5[1-5]|2[2-7]|3[47]|3[0689]|6)/.test(digits) || /^(.)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
