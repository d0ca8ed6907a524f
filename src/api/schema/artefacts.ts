// What is rendered from the plan for others, ready to download.
import { z } from '@hono/zod-openapi';
import { list } from './common.ts';

export const artefact = z
  .object({
    name: z.string().describe('As causeway render --only takes it.'),
    title: z.string().describe('What it is.'),
    files: list(
      z.object({
        path: z.string().describe('File name, with directories.'),
        bytes: z.number().describe('Size.'),
        url: z.string().describe('Where to download it.'),
      }),
    ),
  })
  .openapi('Artefact');
export const artefacts = z.object({ items: list(artefact) }).openapi('Artefacts');
export type Artefacts = z.infer<typeof artefacts>;
