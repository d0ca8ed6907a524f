// How the platform does, as `causeway status -o json` prints it too.
import { z } from '@hono/zod-openapi';
import { list } from './common.ts';

export const traffic = z
  .object({
    open: z.number().describe('Connections open now.'),
    accepted: z.number().describe('Connections accepted since the gateway was started.'),
    refused: z.number().describe('Connections refused since then.'),
    bytesIn: z.number().describe('Bytes from clients.'),
    bytesOut: z.number().describe('Bytes to clients.'),
  })
  .openapi('Traffic');

export const startStep = z
  .object({
    name: z.string().describe('Stable: certificates, programs, etcd, api-server …'),
    title: z.string().describe('What to call it.'),
    state: z.enum(['done', 'active', 'waiting', 'failed']).describe('How far it is.'),
    detail: z.string().optional().describe('What it is doing, or why it does not go on.'),
    seconds: z.number().optional().describe('Of one that is done: how long it was waited for.'),
  })
  .openapi('StartStep');

const stepTiming = z
  .object({
    name: startStep.shape.name,
    title: startStep.shape.title,
    seconds: z.number().describe('How long it was waited for.'),
  })
  .openapi('StepTiming');

export const condition = z
  .object({
    type: z.string().describe('What it is about, as in Ready, ControlPlaneReady, GatewayReady, WorkersReady.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
    reason: z.string().describe('Stable, for programs: a word, or the code of an error.'),
    message: z.string().describe('For people: why it does not hold, or what is done meanwhile; may be empty.'),
    fix: z.string().optional().describe('What happens next by itself, or what a person can do.'),
    since: z.number().describe('When its status changed last, in milliseconds since 1970.'),
  })
  .openapi('Condition');

export const clusterStatus = z
  .object({
    name: z.string().describe('Cluster.'),
    ready: z.boolean().describe('kubectl works, and its workers, if we run any, are Ready.'),
    phase: z
      .enum(['starting', 'ready', 'failing'])
      .describe('starting: it has not been ready since the platform began to look after it, and is within its time.'),
    reason: z.string().optional().describe('Why it is not ready, and what it is doing meanwhile.'),
    fix: z.string().optional().describe('What happens next by itself, or what a person can do.'),
    conditions: list(condition).describe('Ready first, then what it is made of, from the inside out.'),
    steps: list(startStep).optional().describe('What it goes through; absent once it has been ready.'),
    timings: list(stepTiming)
      .optional()
      .describe('How long each step of its last start was waited for; absent until it has been ready.'),
    endpoint: z.string().optional().describe('What kubectl dials.'),
    strategy: z.enum(['NodePort', 'LoadBalancer', 'Tunneling']).describe('Expose strategy in force.'),
    managed: z.boolean().describe('Its control plane is ours.'),
    version: z.string().describe('Kubernetes version.'),
    nodes: z
      .object({ ready: z.number().describe('Nodes that are Ready.'), total: z.number().describe('All nodes.') })
      .optional()
      .describe('Its nodes, where they are known.'),
  })
  .openapi('ClusterStatus');

export const component = z
  .object({
    scope: z
      .union([
        z.literal('platform'),
        z.templateLiteral(['cluster/', z.string()]),
        z.templateLiteral(['worker/', z.string()]),
        // Not shown: the gateways are components of the platform.
        z.templateLiteral(['gateway/', z.string()]),
      ])
      .openapi({ type: 'string' })
      .describe('platform, cluster/NAME or worker/NAME.'),
    name: z.string().describe('etcd, kube-apiserver …'),
    phase: z
      .enum(['waiting', 'getting', 'starting', 'healthy', 'unhealthy', 'restarting', 'failed', 'stopping', 'stopped'])
      .describe('What it is doing.'),
    healthy: z.boolean().describe('Its probe answers.'),
    why: z.string().optional().describe('Why it is not healthy.'),
    next: z.string().optional().describe('What happens next by itself, or what a person must do.'),
    instance: z.string().optional().describe('Of what runs now: another one after each start.'),
    pid: z.number().optional().describe('Process.'),
    since: z.number().describe('Since when it is in this phase, in milliseconds since 1970.'),
    restarts: z.number().describe('How often it was started again.'),
    memoryBytes: z.number().optional().describe('Resident memory.'),
    cpuSeconds: z.number().optional().describe('Processor time used so far.'),
    version: z.string().optional().describe('Version of the program.'),
    logFile: z.string().describe('Where its log is written.'),
  })
  .openapi('Component');
export type Component = z.infer<typeof component>;

export const status = z
  .object({
    directory: z.string().describe('Directory of the manifests.'),
    phase: z.enum(['starting', 'running', 'stopping']).describe('Phase of the platform.'),
    startedAt: z.number().describe('In milliseconds since 1970.'),
    conditions: list(condition).describe('Of the whole platform, Ready first.'),
    broken: z.boolean().describe('The manifests as they are now cannot be applied; what runs is an earlier state.'),
    clusters: list(clusterStatus),
    components: list(component),
    programs: list(
      z
        .object({
          name: z.string().describe('Program.'),
          doing: z.string().describe('What is being done to get it.'),
          seconds: z.number().describe('For how long.'),
        })
        .openapi('ProgramProgress'),
    ).describe('Programs that are being fetched or built.'),
  })
  .openapi('Status');
export type Status = z.infer<typeof status>;

export const summary = z
  .object({
    name: z.string().optional().describe('Name of the Platform; absent until its manifests could be read.'),
    domain: z.string().optional().describe('Its domain.'),
    directory: status.shape.directory,
    phase: status.shape.phase,
    startedAt: status.shape.startedAt,
    broken: status.shape.broken,
    clusters: z.object({
      ready: z.number().describe('Clusters that are ready.'),
      starting: z.number().describe('Clusters that are starting.'),
      total: z.number().describe('All.'),
    }),
    findings: z.object({
      errors: z.number().describe('Errors.'),
      warnings: z.number().describe('Warnings.'),
      waived: z.number().describe('Accepted for a while.'),
    }),
    programs: status.shape.programs,
  })
  .openapi('Summary');
export type Summary = z.infer<typeof summary>;

export const readiness = z
  .object({ conditions: list(condition).describe('Ready of the whole platform.') })
  .openapi('Readiness');

export const health = z.object({ phase: status.shape.phase }).openapi('Health');

export const logLines = z.object({ lines: list(z.string()).describe('The last lines, oldest first.') }).openapi('Log');
