import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { shared } from '../src/cli/page/sources.ts';
import {
  committedFiles,
  type Import,
  importsOf,
  isRelative,
  isTest,
  loadedWith,
  nobody,
  packageName,
  projectRoot,
  readProjectFile,
  resolveImport,
  sourceFiles,
} from './support/source-tree.ts';

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
