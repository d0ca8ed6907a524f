// Loaded into every test file's process: one that is not over in time ends, and says what kept it.
// Node's own time limit fails the test, but then waits for as long as something in the process is still open.
import { writeSync } from 'node:fs';

const minutes = Number(process.env.CAUSEWAY_FILE_MINUTES);

if (minutes > 0) setTimeout(giveUp, minutes * 60_000).unref();

function giveUp(): void {
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
  writeSync(2, `This file was not over after ${minutes} minutes. Still open: ${open || 'nothing'}.\n`);
  process.exit(1);
}
