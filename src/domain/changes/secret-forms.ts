/**
 * The forms that providers give their keys and tokens, one row for each. The same table says what keeps a change from being
 * taken over and what is hidden in logs.
 *
 * A prefix with `_`, `-` or `.` in it does not occur in ordinary base64, so it counts wherever it stands, also in the middle
 * of a binary file. A prefix of letters alone has to begin a word, else pictures in base64 would be full of keys.
 */

export interface SecretForm {
  /** As it is named to people, with its article. */
  readonly kind: string;
  readonly form: RegExp;
  /** For forms that ordinary text has too: whether this one is real. */
  readonly isReal?: (match: RegExpExecArray) => boolean;
}

const row = (kind: string, form: RegExp, isReal?: SecretForm['isReal']): SecretForm =>
  isReal === undefined ? { kind, form } : { kind, form, isReal };

/** What documentation puts where a password goes. */
const noPassword =
  /^(?:x+|\.+|pass(?:word|wd|phrase|code)?|pwd|pw|my_?pass(?:word)?|your[-_]?.*|secret|token|key|changeme|example|foobar|foo|bar|baz|qux|abc|123|1234|test|guest|dummy|fake|redacted|hidden|null|undefined|none|port|\d{2,5})$/iu;

/** Whole texts in which a program or a person puts the password later. Every other text with these signs is a password. */
const standIns: readonly RegExp[] = [
  // Shell, PHP, make, CI: $PASSWORD, ${password}, ${{ secrets.X }}, $(pass), %PASSWORD%.
  /^\$[A-Z][A-Z0-9_]*$/u,
  /^\$\{\{?[^{}]*\}?\}$/u,
  /^\$\([\w.-]*\)$/u,
  /^%[A-Z][A-Z0-9_]*%$/u,
  // Templates and formats: {password}, {{password}}, #{password}, %s, %(password)s, [hidden], ***, (token).
  /^#?\{\{?[\w.$[\]()-]*\}?\}$/u,
  /^%[sdvq]$/u,
  /^%\(\w+\)[sd]$/u,
  /^[[(][\w.-]*[\])]$/u,
  /^\*{3,}$/u,
  // No address has these signs: a pattern, or code in Markdown.
  /[\\`]/u,
];

/** `$password` may be a variable or a password that begins with a dollar. */
const variable = /^\$[A-Za-z_]\w*$/u;
const passwordName = /pass|pwd|pw$|secret|token|key|cred|auth/iu;

function isStandIn(user: string, password: string): boolean {
  if (standIns.some((form) => form.test(password))) return true;
  return variable.test(password) && (variable.test(user) || passwordName.test(password));
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?![\w.-])/iu;

/** Passwords of a server on the same machine, as every example of a database has them, open nothing. */
function isPassword([, user = '', password = '', host = '']: RegExpExecArray): boolean {
  return !(
    noPassword.test(password) ||
    isStandIn(user, password) ||
    password.toLowerCase() === user.toLowerCase() ||
    loopback.test(host)
  );
}

export const secretForms: readonly SecretForm[] = [
  row('a GitHub token', /gh[opru]_[A-Za-z0-9]{36,}/u),
  row('a fine-grained GitHub token', /github_pat_[A-Za-z0-9_]{60,}/u),
  // Opaque until 2026; since then the id of the App and a JWT, with dots, hyphens and underscores in it.
  row('a GitHub installation token', /ghs_[A-Za-z0-9._-]{36,}/u),
  row(
    'a GitLab token',
    /gl(?:pat|dt|rt|rtr|ptt|cbt|ft|soat|agent|oas|imt|ffct|wt)-[A-Za-z0-9_-]{20,}|\bGR1348941[A-Za-z0-9_-]{20}/u,
  ),
  row('an AWS key', /\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/u),
  row(
    'an AWS secret key',
    /aws_?(?:secret|session)_?(?:access_?)?(?:key|token)["']?\s{0,3}[:=]>?\s{0,3}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9])/iu,
  ),
  row('a Google key', /\bAIza[0-9A-Za-z_-]{35}/u),
  row('a Google client secret', /GOCSPX-[A-Za-z0-9_-]{28}/u),
  row('a Google access token', /\bya29\.[A-Za-z0-9_-]{30,}/u),
  row('an Azure storage key', /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{42,}={0,2}/u),
  row('an Azure client secret', /(?<![\w~.])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/u),
  row('an Azure key', /\b[A-Za-z0-9]{52}JQQJ9[9D][A-Za-z0-9]{20,}|\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/u),
  row('an Anthropic key', /sk-ant-[A-Za-z0-9_-]{20,}/u),
  row(
    'an OpenAI key',
    /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})/u,
  ),
  row('an xAI key', /\bxai-[A-Za-z0-9]{70,}/u),
  row('a Groq key', /\bgsk_[A-Za-z0-9]{50,}/u),
  row('a Hugging Face token', /\b(?:hf|api_org)_[A-Za-z0-9]{34,}/u),
  row('a Replicate token', /\br8_[A-Za-z0-9]{37,}/u),
  row(
    'a Slack token',
    /xox[a-z]-[A-Za-z0-9-]{10,}|xoxe\.xox[bp]-\d-[A-Za-z0-9]{20,}|xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]+/u,
  ),
  row(
    'a Slack address',
    /hooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]+\/[A-Z0-9]+\/[A-Za-z0-9/]{16,}/u,
  ),
  row('a Discord token', /\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}(?![\w-])/u),
  row('a Discord address', /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,}/u),
  row('a Telegram token', /(?<![\w.:-])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/u),
  row('a Stripe key', /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{20,}|\bwhsec_[A-Za-z0-9+/]{32,}/u),
  row('a SendGrid key', /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/u),
  row('a Shopify token', /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/u),
  row('a Square token', /\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}|\bEAAA[A-Za-z0-9_-]{60}(?![\w-])/u),
  row('an npm token', /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])|:_authToken=["']?[A-Za-z0-9][A-Za-z0-9_.-]{19,}/u),
  row('a PyPI token', /pypi-AgE[A-Za-z0-9_-]{50,}/u),
  row('a RubyGems key', /rubygems_[a-f0-9]{48}/u),
  row('a Docker Hub token', /dckr_[po]at_[A-Za-z0-9_-]{20,}/u),
  row('a DigitalOcean token', /do[opr]_v1_[a-f0-9]{64}/u),
  row('a Databricks token', /\bdapi[a-f0-9]{32}(?:-\d)?\b/u),
  row('a HashiCorp token', /\bhv[sbr]\.[A-Za-z0-9_-]{24,}|\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}/u),
  row('a Grafana token', /glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|\bglc_eyJ[A-Za-z0-9+/]{32,}/u),
  row('a Sentry token', /sntry[su]_[A-Za-z0-9+/=_-]{40,}/u),
  row('a New Relic key', /\bNRAK-[A-Z0-9]{27}\b/u),
  row('a Linear key', /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/u),
  row('a Notion token', /\bntn_[A-Za-z0-9]{40,}|\bsecret_[A-Za-z0-9]{43}\b/u),
  row('a Figma token', /fig[dru]_[A-Za-z0-9_-]{38,}/u),
  row('an Atlassian token', /\bATATT3[A-Za-z0-9_=-]{60,}/u),
  row('a Postman key', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/u),
  row('a Twilio key', /\bSK[a-f0-9]{32}\b/u),
  row('an age key', /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/u),
  row('a web token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}/u),
  row('a private key', /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/u),
  row('a private key of SSH2', /---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----/u),
  row('a private key of PuTTY', /PuTTY-User-Key-File-\d: [a-z0-9@.-]{3,}/u),
  row(
    'a password in an address',
    /:\/\/([^\s/?#:@"'<>]{0,100}):((?:[^\s/?#"'<>]|(?<=\w)'(?=\w)){3,200})@([A-Za-z0-9[][\w.:\]-]{0,200})/u,
    isPassword,
  ),
];
