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

/** Nothing of a word directly before it; `~` at the start of a pattern. */
const EDGE = '(?<![A-Za-z0-9_-])';

type Row = readonly [name: string, hints: readonly string[], pattern: string, accepts?: (match: string) => boolean];

const ROWS: readonly Row[] = [
  // A key without its end was cut somewhere: everything after the beginning goes.
  [
    'private-key',
    ['-----BEGIN'],
    '-----BEGIN[A-Z0-9 ]{0,60}PRIVATE +KEY[A-Z ]{0,20}-----[^]*?(?:-----END[A-Z0-9 ]{0,60}-----|$)',
  ],
  ['putty-key', ['Private-Lines:'], 'Private-Lines: ?[0-9]+[^]*$'],
  ['age-key', ['AGE-SECRET-KEY-'], 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'],
  ['anthropic-key', ['sk-ant-'], 'sk-ant-[A-Za-z0-9_-]{16,}'],
  ['openai-key', ['sk-'], '~sk-[A-Za-z0-9_-]{16,}', hasDigit],
  [
    'stripe-key',
    ['k_live_', 'k_test_', 'whsec_'],
    '(?:[spr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,})',
  ],
  [
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})',
  ],
  ['gitlab-token', ['gl'], '~gl(?:pat|dt|rt|ptt|ft|oas|soat|cbt|imt|agent|ffct)-[A-Za-z0-9_.-]{16,}'],
  [
    'aws-key-id',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    '(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ],
  ['google-key', ['AIza'], 'AIza[A-Za-z0-9_-]{30,}'],
  [
    'google-token',
    ['ya29.', 'GOCSPX-', '1//0'],
    '(?:ya29\\.[A-Za-z0-9_.-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|(?<![A-Za-z0-9])1//0[A-Za-z0-9_-]{30,})',
  ],
  [
    'slack-token',
    ['xox', 'xapp-', 'xwfp-'],
    '(?:xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,}|xwfp-[A-Za-z0-9-]{10,})',
  ],
  ['slack-webhook', ['hooks.slack.com/'], 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{10,}'],
  ['discord-webhook', ['/api/webhooks/'], 'discord(?:app)?\\.com/api/webhooks/[0-9]{5,}/[A-Za-z0-9_-]{20,}'],
  ['npm-token', ['npm_'], '~npm_[A-Za-z0-9]{30,}'],
  ['pypi-token', ['pypi-'], 'pypi-[A-Za-z0-9_-]{50,}'],
  ['rubygems-key', ['rubygems_'], 'rubygems_[a-f0-9]{40,}'],
  ['docker-token', ['dckr_'], 'dckr_[a-z]{3}_[A-Za-z0-9_-]{20,}'],
  ['huggingface-token', ['hf_', 'api_org_'], '~(?:hf_[A-Za-z0-9]{28,}|api_org_[A-Za-z0-9]{28,})'],
  ['replicate-token', ['r8_'], '~r8_[A-Za-z0-9]{30,}'],
  ['groq-key', ['gsk_'], '~gsk_[A-Za-z0-9]{30,}'],
  ['xai-key', ['xai-'], '~xai-[A-Za-z0-9]{40,}'],
  ['perplexity-key', ['pplx-'], '~pplx-[A-Za-z0-9]{30,}'],
  ['fireworks-key', ['fw_'], '~fw_[A-Za-z0-9]{20,}', hasDigit],
  ['nvidia-key', ['nvapi-'], '~nvapi-[A-Za-z0-9_-]{40,}'],
  ['tavily-key', ['tvly-'], '~tvly-[A-Za-z0-9-]{20,}'],
  ['langsmith-key', ['lsv2_'], '~lsv2_[a-z]{2}_[A-Za-z0-9_]{30,}'],
  ['langfuse-key', ['k-lf-'], '~[sp]k-lf-[A-Za-z0-9-]{30,}'],
  ['sendgrid-key', ['SG.'], '~SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  ['twilio-key', ['SK', 'AC'], '(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['mailgun-key', ['key-'], '~key-[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['telegram-token', [':AA'], '(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}'],
  [
    'discord-token',
    [],
    '(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])',
  ],
  ['azure-secret', ['Q~'], '(?<![A-Za-z0-9])[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}'],
  ['azure-devops-token', ['AZDO'], '[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}'],
  ['databricks-token', ['dapi'], '~dapi[0-9a-f]{32}(?:-[0-9])?'],
  ['digitalocean-token', ['_v1_'], '~do[opr]_v1_[0-9a-f]{40,}'],
  ['shopify-token', ['shp'], '~shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}'],
  ['linear-key', ['lin_'], '~lin_(?:api|oauth)_[A-Za-z0-9]{30,}'],
  ['notion-token', ['ntn_', 'secret_'], '~(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,})'],
  ['atlassian-token', ['ATATT', 'ATCTT', 'ATBB'], '(?:ATATT3|ATCTT3|ATBB)[A-Za-z0-9_=-]{20,}'],
  ['vault-token', ['hvs.', 'hvb.', 'hvr.'], '~hv[sbr]\\.[A-Za-z0-9_-]{20,}'],
  ['pulumi-token', ['pul-'], '~pul-[0-9a-f]{40}'],
  ['doppler-token', ['dp.'], '~dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,}'],
  ['sentry-token', ['sntry'], 'sntry[su]_[A-Za-z0-9+/=_]{30,}'],
  ['grafana-token', ['glsa_', 'glc_'], '(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,})'],
  ['new-relic-key', ['NRAK-'], 'NRAK-[A-Z0-9]{20,}'],
  ['postman-key', ['PMAK-'], 'PMAK-[0-9a-f]{24}-[0-9a-f]{30,}'],
  ['supabase-key', ['sbp_', 'sb_secret_'], '~(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,})'],
  ['square-token', ['EAAA', 'sq0'], '(?<![A-Za-z0-9])(?:EAAA[A-Za-z0-9_-]{56,64}|sq0[a-z]{3}-[A-Za-z0-9_-]{22,})'],
  ['facebook-token', ['EAA'], '(?<![A-Za-z0-9])EAA[MC][A-Za-z0-9]{80,}'],
  ['jwt', ['eyJ'], '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{9,}\\.[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){0,3}'],
  // Credentials inside an address: redis://:pw@host, postgres://user:pw@host, https://token@host.
  ['url-credentials', ['://'], '(?<=://)[^\\s/?#@:"\'<>]{0,200}:[^\\s/?#"\'<>]{1,400}@(?=[^\\s@/])'],
  ['url-credentials', ['://'], '(?<=https?://)[^\\s/?#@:"\'<>]{16,400}@(?=[^\\s@/])'],
  ['bearer', ['earer', 'EARER'], '(?<=\\b[Bb](?:earer|EARER)(?:\\s|\\+){1,4})[A-Za-z0-9._~+/=%-]{8,}', looksRandom],
  ['basic', ['asic', 'ASIC'], '(?<=\\b[Bb](?:asic|ASIC)(?:\\s|\\+){1,4})[A-Za-z0-9+/]{6,}={0,2}', looksLikeBasic],
  // 40 mixed base64 characters on their own is how an AWS secret access key looks; a git hash has no capitals.
  ['aws-secret', [], '(?<![A-Za-z0-9+/_.-])(?:[A-Za-z0-9+/]|%2[BbFf]){40}(?![A-Za-z0-9+/=_.%-])', looksLikeAwsSecret],
  ['card', [], '(?<![0-9A-Za-z.-])(?:[0-9][ -]?){12,18}[0-9](?![0-9A-Za-z-])', isCardNumber],
];

/** Built on first use, so that importing costs nothing; never changes after. */
let shapes: SecretShapes | undefined;

export interface SecretShapes {
  readonly all: readonly SecretShape[];
  /** Those without a hint. */
  readonly unhinted: readonly SecretShape[];
  /** Finds any hint of any shape: one search in place of a hundred. */
  readonly anyHint: RegExp;
}

export function secretShapes(): SecretShapes {
  shapes ??= build();
  return shapes;
}

function build(): SecretShapes {
  const all = ROWS.map(([name, hints, pattern, accepts]) => ({
    name,
    hints,
    pattern: new RegExp(pattern.replace(/^~/, EDGE), 'g'),
    ...(accepts && { accepts }),
  }));
  const hints = all.flatMap((shape) => shape.hints.map((hint) => hint.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return { all, unhinted: all.filter((shape) => shape.hints.length === 0), anyHint: new RegExp(hints.join('|')) };
}

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
