import { getSystemErrorName } from 'node:util';

export interface WireError extends Error {
  code: string;
  syscall: string;
}

/**
 * The error that a documented socket would have given for a negative status. Without a stack: it would only show the
 * event loop, and connections break often enough for its cost to be seen.
 */
export function errorOfStatus(syscall: string, status: number, where = ''): WireError {
  const code = getSystemErrorName(status);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${syscall} ${code}${where === '' ? '' : ` ${where}`}`) as WireError;
  Error.stackTraceLimit = stackTraceLimit;
  error.code = code;
  error.syscall = syscall;
  return error;
}
