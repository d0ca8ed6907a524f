// What is rendered from the plan, as causeway render writes it.

import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createRoute, z } from '@hono/zod-openapi';
import { memoLast } from '../../core/memo.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { artefacts as known, type RenderedFile, renderPlan } from '../../render/index.ts';
import { requireRole } from '../auth/rbac.ts';
import { type ApiContext, type ApiRoutes, failures, newRoutes, reading } from '../context.ts';
import { notFound } from '../problems.ts';
import { type Artefacts, artefacts } from '../schema/network.ts';
import { planned } from './network.ts';

const tag = 'artefacts';
const names = known.map(({ name }) => name) as [string, ...string[]];

const listRoute = reading({ tag, path: '/artefacts', summary: 'What there is to download.', answer: artefacts });
const fileRoute = createRoute({
  method: 'get',
  path: '/artefacts/{name}/{file}',
  tags: [tag],
  summary: 'One file; slashes in its path are written as %2F.',
  ...requireRole('viewer'),
  request: {
    params: z.object({
      name: z.enum(names).describe('Artefact.'),
      file: z.string().min(1).max(300).describe('Its file.'),
    }),
  },
  responses: {
    200: { description: 'The file.', content: { 'application/octet-stream': { schema: { type: 'string' } } } },
    ...failures,
  },
});

export const artefactRoutes = ({ platform }: ApiContext): ApiRoutes =>
  newRoutes()
    .openapi(listRoute, async (c) => c.json({ items: await listed(planned(platform.view().plan)) }, 200))
    .openapi(fileRoute, (c) => {
      const { name, file } = c.req.valid('param');
      const found = filesOf(planned(platform.view().plan), name).find((one) => one.path === file);
      if (found === undefined) throw notFound(`file ${file} of ${name}`, 'GET /api/v1/artefacts lists them');
      return c.body(found.text, 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${path.posix.basename(found.path)}"`,
      });
    });

const filesOf = (plan: Plan, name: string): readonly RenderedFile[] => renderPlan(plan, { only: [name] });

type Items = Promise<readonly Artefacts['items'][number][]>;
/** The list is kept, the files are not: of a large platform they are large, and few of them are asked for. */
const remembered = memoLast<Plan, Items>();
const listed = (plan: Plan): Items => remembered(plan, [], () => listAll(plan));

/** One after the other, with a turn for others in between. */
async function listAll(plan: Plan): Items {
  const items = [];
  for (const { name, title } of known) {
    items.push({ name, title, files: filesOf(plan, name).map(fileEntry) });
    await turn();
  }
  return items;
}

const fileEntry = ({ artefact, path: file, text }: RenderedFile) => ({
  path: file,
  bytes: Buffer.byteLength(text),
  url: `/api/v1/artefacts/${artefact}/${encodeURIComponent(file)}`,
});
