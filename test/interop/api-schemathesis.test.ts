// Schemathesis makes up requests from the published description, right and wrong ones, and judges the answers.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bearer } from '../../src/api/testing/sample-api.ts';
import { servedApi } from '../e2e/api/served-api.ts';
import { needPythonTool, type PythonTool } from '../support/python-tool.ts';

// A document may be in order as JSON and still be wrong as a manifest, or about a state that has passed.
const settings = `
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 409, 412, 422, 428, 429]
`;

const options = [
  '--phases=coverage,fuzzing',
  '--max-examples=15',
  '--max-time=50',
  '--request-timeout=10',
  '--seed=1',
  '--no-color',
  '--generation-database=none',
  // These go on for ever.
  '--exclude-path=/api/v1/events/stream',
  '--exclude-path=/api/v1/components/logs',
  // It breaks the cookie and leaves the bearer token in its place; another test asks all routes without a login.
  '--exclude-checks=ignored_auth',
];

test('the API keeps what its description promises, whatever it is sent', async (t) => {
  const tool = await needPythonTool(t, 'schemathesis', '4.32.5');
  if (tool === undefined) return;
  const api = await servedApi(t);
  writeFileSync(path.join(api.directory, 'schemathesis.toml'), settings);
  // Nobody is to wait for the rate limits, which have tests of their own.
  const hurry = setInterval(() => api.sleep(1000), 20);
  t.after(() => clearInterval(hurry));
  const header = `Authorization: ${bearer('admin').authorization}`;
  const { code, output } = await run(tool, api.directory, [
    `${api.url}/api/openapi.json`,
    `--url=${api.url}`,
    '-H',
    header,
  ]);
  assert.equal(code, 0, output);
  assert.match(output, /Tested: \d\d/);
});

/** From its own directory, where its settings are. */
function run(tool: PythonTool, cwd: string, where: readonly string[]): Promise<{ code: number; output: string }> {
  const args = [path.join(tool.directory, 'bin/st'), 'run', ...where, ...options];
  const env = { ...process.env, PYTHONPATH: tool.directory, SCHEMATHESIS_HOOKS: '' };
  return new Promise((resolve) =>
    execFile(tool.python, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    ),
  );
}
