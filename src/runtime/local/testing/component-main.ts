// A component for tests: an HTTP server that says what it is told to say and ends as it is told to end.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const settings = JSON.parse(process.argv[2] ?? '{}') as ComponentSettings;

export interface ComponentSettings {
  readonly port?: number;
  /** A file that gets a line with its name at start and at end. */
  readonly journal?: string;
  readonly name?: string;
  readonly says?: string;
  readonly lines?: number;
  readonly exit?: number;
  readonly ignoresTerm?: boolean;
  readonly startsChild?: boolean;
  /** Ready while this file says so; with `silent` it does not answer at all. */
  readonly readiness?: string;
}

const { port, journal, name, says, lines = 0, exit, ignoresTerm, startsChild, readiness } = settings;
const note = (what: string): void => {
  if (journal) appendFileSync(journal, `${what} ${name}\n`);
};
const state = (): string => (readiness === undefined ? 'ready' : readFileSync(readiness, 'utf8'));

note('start');
if (says) console.error(says);
if (exit !== undefined) process.exit(exit);
if (startsChild) spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
process.on('SIGTERM', () => {
  if (ignoresTerm) return;
  note('end');
  process.exit(0);
});

const server = createServer((request, response) => {
  if (request.url === '/env') response.end(JSON.stringify(process.env));
  else if (state() !== 'silent')
    response.writeHead(state() === 'ready' ? 200 : 500).end('[+]ping ok\n[-]store failed: reason withheld\n');
});
server.listen(port ?? 0, '127.0.0.1');
let said = 0;
const speaking = setInterval(() => {
  for (let batch = 0; batch < 500 && said < lines; batch += 1) {
    said += 1;
    console.log(`line ${said} ${'x'.repeat(80)}`);
  }
  if (said >= lines) clearInterval(speaking);
}, 1);
