// Why there is no page, in words for people. The platform itself runs without one.
import { CausewayError } from '../../core/errors.ts';

export const toolsMissing = (root: string): CausewayError =>
  new CausewayError(
    'CW-PAGE-TOOLS',
    `the dashboard is not built yet, and the packages that build it are not in ${root}/node_modules`,
    `start by the launcher, ${root}/causeway, which installs them, or run npm ci there`,
  );

export const notWritable = (directory: string, because: string): CausewayError =>
  new CausewayError(
    'CW-PAGE-WRITE',
    `the dashboard is not built yet, and ${directory} cannot be written (${because})`,
    'start once as the owner of that directory; what was built then is used by everybody',
  );

export const diskFull = (directory: string): CausewayError =>
  new CausewayError(
    'CW-PAGE-DISK',
    `the dashboard could not be built, because there is no space left on the disk of ${directory}`,
    'make room (it takes a few megabytes) and start again',
  );

export const buildFailed = (complaint: string): CausewayError =>
  new CausewayError(
    'CW-PAGE-BUILD',
    `the dashboard could not be built: ${complaint || 'its bundler does not say why'}`,
    'mend what the message says in web/; where nothing was changed there, remove node_modules and start again',
  );

/** Translates what the file system says; anything else stays as it is. */
export function fileProblem(error: unknown, directory: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(directory);
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return notWritable(directory, message);
  return error;
}
