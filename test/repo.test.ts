import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { shared } from '../src/cli/page/sources.ts';
import { entries, primitives, roomOf, roomsBelow } from './support/rooms.ts';
import {
  committedFiles,
  type Import,
  importsOf,
  isRelative,
  loadedWith,
  packageName,
  projectRoot,
  readProjectFile,
  resolveImport,
  sourceFiles,
} from './support/source-tree.ts';

const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** Fails with one line per offender; what to do about it is in each line. */
const nobody = (offenders: string[]): void => assert.deepEqual(offenders, []);

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

test('relative imports name an existing file with its ending', () => {
  nobody(
    sourceFiles().flatMap((file) =>
      importsOf(readProjectFile(file))
        .filter(({ specifier }) => isRelative(specifier))
        .filter(
          ({ specifier }) =>
            !existsSync(path.join(projectRoot, resolveImport(file, specifier))) || !/\.\w+$/.test(specifier),
        )
        .map(({ specifier }) => `${file} imports ${specifier}, which is no file`),
    ),
  );
});

test('no file has more than 400 lines', () => {
  nobody(
    sourceFiles()
      .filter((file) => readProjectFile(file).trimEnd().split('\n').length > 400)
      .map((file) => `${file} has more than 400 lines: split it`),
  );
});

test('files and folders have kebab-case names', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
  nobody(sourceFiles().filter((file) => !file.split('/').every((part) => kebab.test(part))));
});

test('there are no default exports', () => {
  nobody(
    sourceFiles().filter((file) => /^export default\b|^export \{[^}]*\bas default\b/m.test(readProjectFile(file))),
  );
});

test('the lockfile does not say where packages were fetched', () => {
  const { packages } = JSON.parse(readProjectFile('package-lock.json')) as {
    packages: Record<string, { resolved?: string; link?: boolean }>;
  };
  // A workspace is a link, and "resolved" is then its directory.
  nobody(Object.keys(packages).filter((name) => packages[name]?.resolved !== undefined && !packages[name].link));
});

test('no file names the host of a package registry', () => {
  // In pieces, so that this file does not name them either.
  const hosts = [
    ['npmjs', 'org'],
    ['npmjs', 'com'],
    ['yarnpkg', 'com'],
    ['pypi', 'org'],
    ['pythonhosted', 'org'],
    ['proxy.golang', 'org'],
    ['sum.golang', 'org'],
    ['crates', 'io'],
    ['maven', 'org'],
    ['maven.apache', 'org'],
    ['deb.debian', 'org'],
    ['security.debian', 'org'],
    ['ftp.debian', 'org'],
  ].map((pieces) => pieces.join('.'));
  nobody(
    committedFiles().flatMap((file) => {
      const text = readProjectFile(file);
      return hosts.filter((host) => text.includes(host)).map((host) => `${file} names ${host}`);
    }),
  );
});

test('no file names the directory this checkout happens to be in', () => {
  const here = path.resolve(projectRoot);
  // A directory directly under / is a word that may mean something else.
  if (here.split('/').length < 3) return;
  nobody(committedFiles().filter((file) => readProjectFile(file).includes(here)));
});

test('core, schemas and plan do no I/O and know neither clock, chance nor environment', () => {
  const effects = /\bprocess\.|\bDate\.now\b|\bnew Date\(|\bMath\.random\b|\bperformance\.|\bcrypto\.random|\bfetch\(/;
  const builtins = /^(node:)?(fs|net|child_process|dns|http|https|http2|tls|dgram|os|worker_threads|timers)(\/|$)/;
  const pure = sourceFiles('src/{core,model/schema,plan}/**/*.ts').filter((file) => !isTest(file));
  nobody(
    pure.flatMap((file) => {
      const text = readProjectFile(file);
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const imports = importsOf(text).filter(
        ({ specifier }) => builtins.test(specifier) && !isAddressParsing(text, specifier),
      );
      const effect = effects.exec(code);
      return [
        ...imports.map(({ specifier }) => `${file} imports ${specifier}`),
        ...(effect ? [`${file} uses ${effect[0]}`] : []),
      ];
    }),
  );
});

// Recognising an address is arithmetic, although Node keeps it among the sockets.
const isAddressParsing = (text: string, specifier: string): boolean =>
  specifier === 'node:net' && /^import \{ (isIP(v4|v6)?(, )?)+ \} from 'node:net'/m.test(text);

interface Manifest {
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readProjectFile('package.json')) as Manifest;
const pageManifest = JSON.parse(readProjectFile('web/package.json')) as Manifest;

const isPackage = ({ specifier, kind }: Import): boolean =>
  kind !== 'type' && !isRelative(specifier) && !specifier.startsWith('node:');

/** What src loads, and what it starts by its place below node_modules. */
const packagesOf = (file: string): string[] => {
  const text = readProjectFile(file);
  const started = [...text.matchAll(/join\([^)]*'node_modules', '([^']+)'/g)].map(([, name = '']) => name);
  return [
    ...importsOf(text)
      .filter(isPackage)
      .map(({ specifier }) => packageName(specifier)),
    ...started,
  ];
};

test('what src loads or starts at run time is a dependency, and stays when devDependencies are left out', () => {
  const { packages } = JSON.parse(readProjectFile('package-lock.json')) as {
    packages: Record<string, { readonly dev?: boolean }>;
  };
  const product = sourceFiles('src/**/*.ts').filter((file) => !isTest(file) && !file.includes('/testing/'));
  // The page is built where it is used, so what builds it is needed there.
  const page = [...sourceFiles('web/src/**/*.{ts,tsx}').filter((file) => !isTest(file)), 'web/vite.config.ts'];
  const missing = (file: string, dependencies: Readonly<Record<string, string>>): string[] =>
    packagesOf(file).flatMap((name) => {
      if (!(name in dependencies)) return [`${file} needs ${name}: make it one of the dependencies`];
      return packages[`node_modules/${name}`]?.dev ? [`package-lock.json keeps ${name} for development only`] : [];
    });
  const all = { ...pageManifest.dependencies, ...manifest.dependencies };
  nobody(product.flatMap((file) => missing(file, all)));
  nobody(page.flatMap((file) => missing(file, pageManifest.dependencies)));
  // Otherwise nothing was looked at.
  for (const name of ['rolldown', 'vite']) assert.ok(product.flatMap(packagesOf).includes(name), name);
});

test('the page is built again when what it takes from src changes', () => {
  const taken = sourceFiles('web/src/**/*.{ts,tsx}')
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(readProjectFile(file))
        .filter(({ specifier, kind }) => kind !== 'type' && isRelative(specifier))
        .map(({ specifier }) => resolveImport(file, specifier)),
    )
    .filter((file) => !file.startsWith('web/') && !file.startsWith('docs/reference/'));
  assert.deepEqual([...new Set(taken)], shared);
  nobody([...loadedWith(...shared)].filter((name) => !shared.includes(name)));
});

test('modules name their own place in one way, which a bundle keeps', () => {
  const others = /\bimport\.meta\.(?!url\b)\w+|\b__dirname\b|\bcreateRequire\b|\brequire\(/;
  const product = sourceFiles('src/**/*.ts').filter((file) => !isTest(file) && !file.includes('/testing/'));
  nobody(
    product
      .filter((file) => others.test(readProjectFile(file)))
      .map((file) => `${file}: use new URL(…, import.meta.url), see src/cli/bundle/make-bundle.ts`),
  );
});

test('the licence is there in full, and is the one that package.json names', () => {
  const names: Readonly<Record<string, RegExp>> = {
    'Apache-2.0':
      /^\s*Apache License\s+Version 2\.0, January 2004[\s\S]*TERMS AND CONDITIONS FOR USE[\s\S]*END OF TERMS AND CONDITIONS/,
  };
  const text = names[manifest.license];
  assert.ok(text, `say how the text of ${manifest.license} begins and ends`);
  assert.match(readProjectFile('LICENSE'), text);
  assert.ok(committedFiles().includes('LICENSE'));
});

const heavyForHelp = [
  'zod',
  'yaml',
  'js-yaml',
  '@clack/prompts',
  '@kubernetes/client-node',
  'undici',
  '@peculiar/x509',
];

test('help loads nothing heavy', () => {
  const loaded = loadedWith('src/cli/main.ts');
  nobody(heavyForHelp.filter((name) => loaded.has(name)));
});

test('what carries bytes loads nothing but Node and itself', () => {
  const carriers = sourceFiles('src/{net,gateway,agent,konnectivity}/**/*.ts').filter(
    (file) => !isTest(file) && !file.includes('/testing/'),
  );
  const foreign = [...loadedWith(...carriers)].filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'));
  nobody(foreign.map((name) => `${name} is loaded in net, gateway or agent`));
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
  assert.deepEqual(Object.keys(others).sort(), ['readSnapshot', 'refusals', 'snapshotWarnings']);
});

test('connections to others are opened and names looked up in one file, which is the default of an injected Dial and Resolve', () => {
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
    ['src/net/wire/dial.ts'],
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
