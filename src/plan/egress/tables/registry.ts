// Short way to write a line about images of one registry.
import type { Download } from '../download.ts';

type Rest = Omit<Download, 'host' | 'images'>;

/** Images are named without the registry, which is put in front. */
export const images = (registry: string, names: readonly string[], rest: Rest): Download => ({
  host: registry,
  images: names.map((name) => `${registry}/${name}`),
  ...rest,
});
