// The rules of docs/architecture.md, as far as the text of the code can show them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { entries, primitives, roomOf, roomsBelow } from './support/rooms.ts';
import {
  importsOf,
  isRelative,
  isTest,
  loadedWith,
  nobody,
  projectRoot,
  readProjectFile,
  resolveImport,
  sourceFiles,
} from './support/source-tree.ts';

test('every room under src is known, so that somebody has said what it may import', () => {
  const rooms = new Set(sourceFiles('src/**/*.ts').map(roomOf));
  nobody(
    [...rooms].flatMap((room) => (room === undefined || room in roomsBelow ? [] : [`${room}: add it to rooms.ts`])),
  );
});

test('imports point one way: a room imports only from rooms below it', () => {
  nobody(
    sourceFiles('src/**/*.ts').flatMap((file) => {
      const room = roomOf(file) ?? '';
      const allowed = [room, ...(roomsBelow[room] ?? [])];
      return importsOf(readProjectFile(file))
        .filter(({ specifier }) => isRelative(specifier))
        .map(({ specifier }) => roomOf(resolveImport(file, specifier)))
        .filter((target) => target !== undefined && !allowed.includes(target))
        .map((target) => `${file} imports from ${target}, which is not below ${room}`);
    }),
  );
});

test('only tests and the test command reach out of src', () => {
  const outside = (file: string): string[] =>
    importsOf(readProjectFile(file))
      .filter(({ specifier }) => isRelative(specifier) && !resolveImport(file, specifier).startsWith('src/'))
      .map(({ specifier }) => `${file} imports ${specifier}`);
  const product = sourceFiles('src/**/*.ts').filter(
    (file) => !isTest(file) && !file.includes('/testing/') && !file.startsWith('src/cli/'),
  );
  nobody(product.flatMap(outside));
});

test('parts of Node that are not documented are used in one file only', () => {
  const undocumented =
    /\bprocess\.binding\b|\bbinding\('\w+_wrap'\)|\._(?:handle|readableState|writableState)\b|\binternalBinding\b/;
  nobody(
    sourceFiles('src/**/*.ts')
      .filter((file) => file !== 'src/net/wire/native.ts' && undocumented.test(readProjectFile(file)))
      .map((file) => `${file}: move it to src/net/wire/native.ts`),
  );
});

/** What these compare is a date for others: of a file, a certificate or a token. */
const comparesDates = [
  'src/model/load/known-files.ts',
  'src/platform/cluster/external-watch.ts',
  'src/platform/gateway/gateways.ts',
  'src/platform/join/joined-workers.ts',
  'src/runtime/local/workers/real/real-worker.ts',
  'src/sys/lock.ts',
];

test('how long something takes is told by the clock that nobody sets', () => {
  const arithmetic = /\bDate\.now\(\) ?[-+<>]|[-+<>] ?Date\.now\(\)|\b(?:deadline|until|retryAt) = Date\.now\(\)/;
  nobody(
    sourceFiles('src/**/*.ts')
      .filter((file) => !isTest(file) && !file.includes('/testing/') && !comparesDates.includes(file))
      .filter((file) => arithmetic.test(readProjectFile(file)))
      .map((file) => `${file}: use performance.now(), Date.now() jumps when the clock is set`),
  );
});

test('a plan has no hidden state: only the cache makes a WeakMap, and none is made by loading a module', () => {
  const product = sourceFiles('src/plan/**/*.ts').filter((file) => !isTest(file));
  nobody([
    ...product
      .filter((file) => file !== 'src/plan/cache.ts' && /\bWeak(Map|Set|Ref)\b/.test(readProjectFile(file)))
      .map((file) => `${file}: keep it in the cache that the caller passes in, see src/plan/cache.ts`),
    ...product
      .filter((file) => importsOf(readProjectFile(file)).some(({ specifier }) => specifier.endsWith('core/memo.ts')))
      .map((file) => `${file}: core/memo.ts keeps results in the module; use src/plan/cache.ts`),
    ...product.flatMap((file) =>
      readProjectFile(file)
        .split('\n')
        .filter((line) => /^(export )?let\b|^(export )?const \w+[^=(]*= new Weak/.test(line))
        .map((line) => `${file}: "${line}" is state of the module`),
    ),
  ]);
});

test('each name under which a context keeps something has one definition', () => {
  const names = sourceFiles('src/plan/**/*.ts')
    .filter((file) => !isTest(file))
    .flatMap((file) => [...readProjectFile(file).matchAll(/\bmemoInside\('([^']+)'/g)].map(([, name]) => name));
  assert.ok(names.length > 5);
  nobody(names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${name} is used twice`));
});

test('nobody outside the planner looks settings up by strings and casts', () => {
  nobody(
    sourceFiles('src/**/*.ts')
      .filter((file) => !isTest(file) && !file.startsWith('src/plan/'))
      .filter((file) => /settings\.clusters\[.*\.value as\b/.test(readProjectFile(file)))
      .map((file) => `${file}: ask settingsOf(plan, cluster) in src/plan/settings`),
  );
});

test("nothing in control-plane, reconcile or platform names a path, a process or loopback: that is the runtime's", () => {
  // A pod on machines of others, addresses that Kubernetes refuses as endpoints, and the check of workloads itself.
  const known = ['bootstrap/joined-workers.ts', 'bootstrap/kubernetes-service.ts', 'check-workloads.ts'].map(
    (file) => `src/control-plane/${file}`,
  );
  const ofOneMachine =
    /'node:(?:fs|path|os|child_process)|\bpids?\b|\bprocess\.(?:kill|cwd|env)\b|\b127\.\d+\.\d+\.\d+\b|\blocalhost\b|'::1'|\bmanifestDirectory\b|['"`]\/(?:etc|home|opt|proc|root|run|srv|tmp|usr|var)\b/;
  const files = sourceFiles('src/{control-plane,reconcile,platform,operator}/**/*.ts').filter(
    (file) => !isTest(file) && !file.includes('/testing/'),
  );
  assert.ok(files.length > 60);
  assert.ok(known.every((file) => files.includes(file)));
  nobody(
    files
      .filter((file) => !known.includes(file))
      .flatMap((file) =>
        [...readProjectFile(file).matchAll(new RegExp(ofOneMachine, 'g'))].map(([text]) => `${file}: ${text}`),
      ),
  );
});

test('the platform knows no runtime but what all of them offer, and no runtime knows another', () => {
  const runtimes = ['src/runtime/local/', 'src/runtime/kubernetes/'];
  const others = (file: string): string[] => runtimes.filter((runtime) => !file.startsWith(runtime));
  const files = sourceFiles('src/{control-plane,reconcile,platform,operator,runtime}/**/*.ts').filter(
    (file) => !isTest(file) && !file.includes('/testing/'),
  );
  for (const runtime of runtimes) assert.ok(files.some((file) => file.startsWith(runtime)));
  nobody(
    files.flatMap((file) =>
      importsOf(readProjectFile(file))
        .filter(({ specifier }) => isRelative(specifier))
        .map(({ specifier }) => resolveImport(file, specifier))
        .filter((target) => others(file).some((runtime) => target.startsWith(runtime)))
        .map((target) => `${file} imports ${target}: ask PlatformRuntime or ClusterRuntime for it`),
    ),
  );
});

test('renderers know the plan and no document', () => {
  // The name of the index file is told to the loader, which passes by rendered directories.
  const known = ['src/render/write/manifest.ts'];
  nobody(
    sourceFiles('src/render/**/*.ts')
      .filter((file) => !isTest(file) && !file.includes('/testing/') && !known.includes(file))
      .filter((file) => importsOf(readProjectFile(file)).some(({ specifier }) => specifier.includes('/model/')))
      .map((file) => `${file}: what it needs is data of the plan, see src/plan/installation`),
  );
});

/** Tests in test/ may look inside; what stands in testing/ is for tests of other rooms too. */
const importedFrom = (room: string): string[] =>
  sourceFiles('{src,bench,web/src}/**/*.{ts,tsx}')
    .filter((file) => roomOf(file) !== room)
    .flatMap((file) =>
      importsOf(readProjectFile(file))
        .filter(({ specifier }) => isRelative(specifier))
        .map(({ specifier }) => resolveImport(file, specifier))
        .filter((target) => roomOf(target) === room && !target.includes('/testing/'))
        .map((target) => `${file} imports ${target}`),
    );

test('a room is entered through its entries, and only primitives file by file', () => {
  nobody(primitives.filter((room) => room in entries).map((room) => `${room} is a primitive and has entries`));
  for (const [room, files] of Object.entries(entries)) {
    const allowed = files.map((file) => `src/${room}/${file}`);
    nobody(allowed.filter((file) => !existsSync(path.join(projectRoot, file))).map((file) => `${file} is no file`));
    const imports = importedFrom(room);
    // Otherwise nothing was looked at.
    assert.ok(imports.length > 1, `nobody enters ${room}`);
    nobody(imports.filter((line) => !allowed.some((file) => line.endsWith(` ${file}`))));
  }
});

test('the entry of agents loads none before it is started', () => {
  nobody([...loadedWith('src/agent/index.ts')].filter((name) => /agent\/(agent|forwarder|check)|tunnel\//.test(name)));
});

test('gateways are started through their engine: the entry of gateways offers nothing else that starts one', async () => {
  const { builtInEngine, ...others } = await import('../src/gateway/index.ts');
  assert.deepEqual(Object.keys(builtInEngine).sort(), ['name', 'run', 'start']);
  assert.deepEqual(Object.keys(others).sort(), [
    'gatewayClient',
    'isSilence',
    'readSnapshot',
    'refusals',
    'snapshotWarnings',
  ]);
});

test('connections to others are opened in one file and names looked up in one, which are the default of an injected Dial and Resolve', () => {
  // TLS and HTTP/2 go over a connection that was dialled; a unix socket is this machine's own.
  const opens =
    /\bnode:dns\b|\bcreateConnection\(\{|\bnew Socket\(\)|\b(?:net|tls)\.connect\(|(?<![.\w#])(?:connect|tlsConnect)\((?!'http:|\{\s*(?:socket\b|path\b))/;
  const rooms = sourceFiles('src/{net,gateway,agent}/**/*.ts').filter(
    (file) => !isTest(file) && !file.includes('/testing/'),
  );
  assert.ok(rooms.length > 50);
  const declared = /^\s*(?:readonly )?connect\(.*\): .*[;{]$/gm;
  assert.deepEqual(
    [...rooms, 'src/platform/cluster/external-watch.ts'].filter((file) =>
      opens.test(readProjectFile(file).replace(declared, '')),
    ),
    ['src/net/resolve/dns-query.ts', 'src/net/wire/dial.ts'],
  );
  nobody(
    sourceFiles('src/{gateway,agent,kube}/**/*.ts')
      .filter(
        (file) =>
          !isTest(file) && !file.includes('/testing/') && /\blocalDial\b|\blocalResolve\b/.test(readProjectFile(file)),
      )
      .map((file) => `${file}: take a Vantage, Dial or Resolve as a parameter`),
  );
});

test('there is one backoff: nobody else doubles a pause', () => {
  nobody(
    sourceFiles('src/**/*.ts')
      .filter((file) => !isTest(file) && file !== 'src/sys/backoff.ts')
      .filter((file) => /Math\.min\([^;]*\* 2( \*\* \w|\b\s*[,)])/.test(readProjectFile(file)))
      .map((file) => `${file}: use createBackoff or exponentialMs of src/sys/backoff.ts`),
  );
});

test('identifiers of places are built and taken apart in src/plan/places/ids.ts alone', () => {
  const byHand = [
    // `seed/${name}/nodes`; without a further part it is the scope of components or a node of the topology.
    /`(?:seed|datacenter|cluster)\/\$\{[^}]*\}\//,
    /['"`]master\/(?:nodes|api|ingress)['"`]/,
    /['"`]dns\/(?:resolvers|authoritative)['"`]/,
  ];
  const takenApart = /startsWith\(['"`](?:seed|datacenter|cluster|master|proxy|dns)\//;
  const ids = ['src/plan/places/ids.ts'];
  // Users of a pool are told in the same words.
  const parsers = [...ids, 'src/plan/addresses/needs.ts'];
  const product = sourceFiles('src/**/*.ts').filter((file) => !isTest(file) && !/\/(?:testing|cases)\//.test(file));
  nobody(
    product.flatMap((file) => {
      const lines = readProjectFile(file).split('\n');
      const isPlanned = file.startsWith('src/plan/') || file.startsWith('src/render/');
      const found = (allowed: readonly string[], forbidden: readonly RegExp[]): string[] =>
        allowed.includes(file) ? [] : lines.filter((line) => forbidden.some((pattern) => pattern.test(line)));
      return [...found(ids, byHand), ...(isPlanned ? found(parsers, [takenApart]) : [])].map(
        (line) => `${file} knows how places are named: ${line.trim()}`,
      );
    }),
  );
});
