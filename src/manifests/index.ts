export { type Check, manifestReader, type Reading } from './read-manifests.ts';
export { type Watching, watchManifests } from './watch-manifests.ts';
