// Texts that are secrets by their looks, and fields that hold secrets by their name.

export type SecretLook =
  | 'credentials in a URL'
  | 'a private key'
  | 'an access token'
  | 'registry credentials'
  | 'a password';

const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|AGE-SECRET-KEY-1/;
const token =
  /\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|hvs\.[\w-]{20,}|eyJ[\w-]{8,400}\.[\w-]{8,}\.[\w-]*)|^(?:Bearer|Basic) +[\w+/=.~-]{8,}$/;
/** `name=value` or `name: value`, also in the middle of a sentence. */
const assignment =
  /(?:^|[\s,;&?(])["']?(?:[\w.-]*(?:password|passwd|pwd|passphrase|passwort|secret|token|api[_-]?key)|pass|pw)["']?(?:[:=]| *[:=] +)["']?(?=[^\s:=/{<$*])(?!(?:see|ask|in|is|at|by|from|on|kept|stored|none|reset|change|unset|null|true|false)\b)/i;
const registry = /"auths?"\s*:\s*["{]/;

/** What secret `text` holds, if it looks like one. */
export function secretLook(text: string): SecretLook | undefined {
  if (text.length < 8) return undefined;
  if (text.includes('@') && hasCredentials(text)) return 'credentials in a URL';
  if (text.includes('KEY-') && privateKey.test(text)) return 'a private key';
  if (token.test(text)) return 'an access token';
  if (text.includes('"auth') && registry.test(text)) return 'registry credentials';
  return assignment.test(text) ? 'a password' : undefined;
}

/** `scheme://user:password@host`, also without scheme, also with a password that breaks the URL. */
function hasCredentials(text: string): boolean {
  return text.split(/[\s,;"']+/).some((word) => {
    if (!word.includes('@')) return false;
    const [, scheme, rest] = /^(?:([a-z][a-z0-9+.-]*):)?\/\/(.*)$/is.exec(word) ?? [undefined, undefined, word];
    if (scheme === undefined) return /^[^/:@[\]]+:[^/@]+@(?!sha\d+:)[^@]/.test(rest ?? '');
    return urlCredentials(word, scheme.toLowerCase());
  });
}

/** A user without password is fine where it is a login (ssh://git@host), a token where it is HTTP. */
function urlCredentials(word: string, scheme: string): boolean {
  const url = URL.parse(word);
  if (url === null) return /:\/\/[^@]*:[^@]*@/.test(word);
  return url.password !== '' || (url.username !== '' && scheme.startsWith('http'));
}

/** `svc:PASSWORD` where only the name of a user belongs: no system has users with a colon in their name. */
export const isUserWithPassword = (field: string, text: string): boolean =>
  /user(?:name)?$|^login$/i.test(field) && /^[^\s:]+:\S/.test(text);

const secretNames = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'credential',
  'credentials',
  'apikey',
  'accesskey',
  'privatekey',
  'secretkey',
  'dockerconfigjson',
];
const remembered = new Map<string, boolean>();

/** Whether a field of this name holds a secret: password, clientSecret, api-token … */
export function isSecretName(name: string): boolean {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const secret = plain === 'auth' || secretNames.some((ending) => plain.endsWith(ending));
  if (remembered.size < 10_000) remembered.set(name, secret);
  return secret;
}
