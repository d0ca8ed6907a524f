export { type ManifestSource, manifestDirectory } from './manifest-source.ts';
export { type Check, manifestReader, type Reading } from './read-manifests.ts';
export type { Watching } from './watch-manifests.ts';
