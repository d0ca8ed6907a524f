// Whether this process was started into a session of its own: what it starts in its turn then gets one too, because who
// ends or looks for a group of processes means a program and not what it left.
import { readFileSync } from 'node:fs';

export function leadsSession(): boolean {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // The name comes second and may have brackets and spaces. Then: state, parent, group, session.
    const [, , , session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}
