// Where secrets may be, and the only place where they are read. Whoever writes manifests is not always the owner of the
// machine: a reference must not lead to other files of it, or to other variables of this process.
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { secretsDirectory } from '../../model/load/index.ts';
import { readPrivate, writePrivate } from '../../sys/private-files.ts';
import { stateDirectory } from './home.ts';

/** As in the manifests. */
export interface SecretReference {
  readonly env?: string | undefined;
  readonly file?: string | undefined;
  readonly secret?: unknown;
}

/** What the owner of the machine allows besides the usual. */
export interface AllowedSecrets {
  /** Instead of `secrets` beside the manifests. */
  readonly directory?: string;
  /** Variables without the prefix. */
  readonly variables?: readonly string[];
}

export interface SecretPlaces {
  /** Directory of the manifests; files are named relative to it. */
  readonly manifests: string;
  /** @default that of this process */
  readonly env?: NodeJS.ProcessEnv;
}

export const variablePrefix = 'CAUSEWAY_SECRET_';
/** Nobody writes it: the platform makes it for the proxy of its own demo. */
const generated = 'proxy-credentials';
const longest = 1024 * 1024;

/** Its text; undefined where there is none. What is not allowed is refused whether or not it exists. */
export function secretText({ env: name, file }: SecretReference, places: SecretPlaces): string | undefined {
  if (name !== undefined) return variable(name, places);
  return file === undefined ? undefined : secretFile(file, places);
}

/** Text of a file that is no secret, as a bundle of authorities: somewhere beside the manifests. */
export function bundleText(file: string, { manifests }: SecretPlaces): string | undefined {
  const [root, real] = [realPath(manifests), realPath(path.resolve(manifests, file))];
  if (isBelow(real, root) && !isBelow(real, path.join(root, stateDirectory))) return textOf(real);
  throw new CausewayError(
    'CW-SECRET-PLACE',
    `${file} is not beside the manifests, so it is not read`,
    `copy it into a directory below ${root}, as in certs/, and name that`,
  );
}

/** A file that the platform makes itself where it is missing. */
export const isGenerated = ({ file }: SecretReference, { manifests }: SecretPlaces): boolean =>
  file !== undefined && realPath(path.resolve(manifests, file)) === generatedFile(manifests);

/** Written by whoever starts a platform, for everybody who reads its secrets later. */
export const keepAllowed = (manifests: string, allowed: AllowedSecrets): void =>
  writePrivate(allowedFile(manifests), `${JSON.stringify(allowed)}\n`);

function allowedAt(manifests: string): AllowedSecrets {
  const text = readPrivate(allowedFile(manifests));
  return text === undefined ? {} : (JSON.parse(text) as AllowedSecrets);
}

const allowedFile = (manifests: string): string => path.join(manifests, stateDirectory, 'secret-places.json');
const generatedFile = (manifests: string): string =>
  path.join(realPath(path.join(manifests, stateDirectory)), generated);

function variable(name: string, { manifests, env = process.env }: SecretPlaces): string | undefined {
  const { variables = [] } = allowedAt(manifests);
  if (name.startsWith(variablePrefix) || variables.includes(name)) return env[name];
  throw new CausewayError(
    'CW-SECRET-PLACE',
    `the variable ${name} is not for secrets, so it is not read: names of those begin with ${variablePrefix}`,
    `use ${variablePrefix}${name} here and in the environment, or start with "causeway up --secret-env ${name}"`,
  );
}

function secretFile(file: string, { manifests }: SecretPlaces): string | undefined {
  const { directory } = allowedAt(manifests);
  // A link in the place of the usual directory may have come with the manifests, so it is not followed.
  const root = directory === undefined ? path.join(realPath(manifests), secretsDirectory) : realPath(directory);
  const real = realPath(path.resolve(manifests, file));
  if (!isBelow(real, root) && real !== generatedFile(manifests)) throw elsewhere(file, root);
  return textOf(real, (mode) => refuseOpen(real, mode));
}

const elsewhere = (file: string, root: string): CausewayError =>
  new CausewayError(
    'CW-SECRET-PLACE',
    `the secret file ${file} is not below ${root}, so it is not read`,
    `move it there and name that in the manifests, or start with "causeway up --secrets-dir DIR" where DIR holds all secret files`,
  );

const isBelow = (file: string, directory: string): boolean => file.startsWith(`${directory}${path.sep}`);

/** Of something that need not be there; links are followed. */
const realPath = (file: string): string =>
  existsSync(file) || path.dirname(file) === file
    ? realpathSync(file)
    : path.join(realPath(path.dirname(path.resolve(file))), path.basename(file));

/** The path has no links any more; one that came since is not followed, and a device is not read. */
function textOf(real: string, judge: (mode: number) => void = () => {}): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(real, code ?? 'an error');
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw unreadable(real, 'it is no file');
    if (stats.size > longest) throw unreadable(real, 'it has more than 1 MiB');
    judge(stats.mode);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Others must be kept out by the file or by its directory. */
function refuseOpen(file: string, mode: number): void {
  const directory = path.dirname(file);
  if ((mode & 0o077) === 0 || (statSync(directory).mode & 0o077) === 0) return;
  throw new CausewayError(
    'CW-KEYS-OPEN',
    `${path.basename(file)} is open to other users of this machine (mode ${(mode & 0o777).toString(8)}): ${file}`,
    `chmod 700 '${directory}', and think about who may have read it`,
  );
}

const unreadable = (file: string, why: string): CausewayError =>
  new CausewayError('CW-SECRET-READ', `${file} cannot be read: ${why}`, 'let the user that runs causeway own the file');
