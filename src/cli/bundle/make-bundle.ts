// The command line and all it needs in few files: Node reads these in a third of the time it takes for six hundred modules.
// Every bundle has a directory of its own, since a platform that is running may still load parts of an earlier one.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Tools that build the page and bundles run from their own packages. */
const tools = /^(vite|rolldown|@vitejs)(\/|$)/;

/** How many earlier bundles stay. */
const keep = 8;

/** Makes a bundle of the project at `root`, and returns its main file. */
export async function makeBundle(
  root: string,
  home = path.join(root, 'node_modules/.causeway-bundle'),
): Promise<string> {
  const name = `${Date.now()}-${process.pid}`;
  const directory = path.join(home, name);
  mkdirSync(directory, { recursive: true });
  // Its time says which sources are newer; what is edited from now on may not be inside.
  const note = path.join(directory, 'current');
  writeFileSync(note, `${name}\n`);
  const bundle = await rolldown({
    input: path.join(root, 'src/cli/main.ts'),
    cwd: root,
    platform: 'node',
    external: (id) => tools.test(id),
    plugins: [outsideSources(path.join(root, 'src'), directory), ownPlaces(directory), plainHttp],
  });
  // Named so that Node need not look inside to know what they are.
  await bundle.write({
    dir: directory,
    format: 'esm',
    entryFileNames: 'main.mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  renameSync(note, path.join(home, 'current'));
  removeOld(home);
  return path.join(directory, 'main.mjs');
}

/**
 * Tests and benchmarks stay where they are: they come from the checkout as it is now, with sources of their own. The bundle
 * and they then have one copy each of a module, so nothing that is compared by identity may cross (`isCausewayError`).
 */
function outsideSources(sources: string, directory: string): Plugin {
  return {
    name: 'outside-sources',
    resolveId: {
      filter: { id: /^\.\.?\// },
      handler(id, importer) {
        if (importer === undefined || !isWithin(sources, importer)) return undefined;
        const file = path.resolve(path.dirname(importer), id);
        if (isWithin(sources, file)) return undefined;
        return { id: path.relative(directory, file), external: true };
      },
    },
  };
}

const isWithin = (directory: string, file: string): boolean => file.startsWith(`${directory}${path.sep}`);

/** A module finds files beside it by its own address, which in a bundle is another one. */
function ownPlaces(directory: string): Plugin {
  return {
    name: 'own-places',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.url' },
      handler: (code, id) => code.replaceAll('import.meta.url', addressFrom(directory, id)),
    },
  };
}

const addressFrom = (directory: string, id: string): string =>
  `new URL(${JSON.stringify(path.relative(directory, id))}, import.meta.url).href`;

/** Node's fetch is part of its HTTP module and loaded with it when that is imported: a start needs none, and it takes 30 ms. */
const plainHttp: Plugin = {
  name: 'plain-http',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => 'plain-http' },
  load: {
    filter: { id: /^plain-http$/ },
    handler() {
      const fields = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(
        ([, { value }]) => value !== undefined,
      );
      const names = fields.map(([name]) => name).filter((name) => name !== 'default');
      return `const http = process.getBuiltinModule('node:http');
        export default http;
        export const { ${names.join(', ')} } = http;`;
    },
  },
};

function removeOld(home: string): void {
  const bundles = readdirSync(home)
    .filter((name) => name !== 'current')
    .map((name) => ({ name, made: statSync(path.join(home, name)).mtimeMs }))
    .toSorted((a, b) => b.made - a.made);
  for (const { name } of bundles.slice(keep + 1)) rmSync(path.join(home, name), { recursive: true, force: true });
}
