// Names, arguments and options of every command, with nothing behind them: help must be instant.
import { type Command, Option } from 'commander';

const onlyOne = (flags: string, text: string, choices: readonly string[]): Option =>
  new Option(flags, text).choices(choices);
const list = (value: string, before: string[] = []): string[] => [...before, value];
const manifests = 'directory of manifests, one file, or - for standard input';

type Run = (...args: never[]) => Promise<number>;
/** Loads the command only now, and turns its result into the exit code. */
const run =
  (load: () => Promise<Run>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...(args.slice(0, -1) as never[]));
  };

export function describeCommands(program: Command): Command {
  program
    .name('causeway')
    .description('Makes Kubernetes clusters reachable across networks that were not built for it.')
    .option('--no-color', 'plain text')
    .exitOverride()
    .showHelpAfterError('(causeway --help shows the commands)')
    .hook('preAction', (command) => {
      if (command.opts().color === false) process.env.NO_COLOR = '1';
    });
  describeManifests(program);
  describeKnowledge(program);
  describeWork(program);
  return program;
}

function describeManifests(program: Command): void {
  program
    .command('init')
    .description('write a first set of manifests')
    .argument('[dir]', 'directory to write to', '.')
    .option('-t, --template <name>', 'local, vsphere, openstack, azure, aws, behind-proxy or air-gapped')
    .option('--domain <domain>', 'domain of the platform')
    .option('--name <name>', 'name of the platform')
    .option('--force', 'replace files that exist')
    .action(run(async () => (await import('./commands/init.ts')).runInit));
  program
    .command('validate')
    .description('say what is wrong with the manifests, and what would be right')
    .argument('<dir>', manifests)
    .addOption(onlyOne('-o, --output <format>', 'format', ['text', 'json', 'sarif', 'github']).default('text'))
    .action(run(async () => (await import('./commands/validate.ts')).runValidate));
  program
    .command('plan')
    .description('compute flows, names, certificates, addresses and the allow-list')
    .argument('<dir>', manifests)
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'wide', 'json', 'yaml']).default('table'))
    .addOption(onlyOne('--by <view>', 'view', ['flow', 'cluster', 'place']).default('flow'))
    .option('--from <place>', 'only flows from here (users, seed, datacenter/NAME …)')
    .option('--to <place>', 'only flows to there')
    .option('--lock', 'keep the proposed addresses and node ports in causeway.lock.yaml')
    .action(run(async () => (await import('./commands/plan.ts')).runPlan));
  program
    .command('render')
    .description('write the artefacts to ask others for')
    .argument('<dir>', manifests)
    .requiredOption('--out <dir>', 'directory to write to')
    .option('--only <name>', 'only this artefact; may be repeated', list)
    .option('--check', 'write nothing; tell what differs')
    .option('--force', 'replace files that were changed by hand')
    .action(run(async () => (await import('./commands/render.ts')).runRender));
  program
    .command('diff')
    .description('what to ask the firewall, DNS and certificate teams for, and what may be closed')
    .argument('<a>', 'directory, git revision or REV:path')
    .argument('<b>', 'directory, git revision or REV:path')
    .option('--dir <dir>', 'directory of the manifests inside the revisions', '.')
    .addOption(onlyOne('-o, --output <format>', 'format', ['text', 'json', 'md']).default('text'))
    .action(run(async () => (await import('./commands/diff.ts')).runDiff));
}

function describeKnowledge(program: Command): void {
  program
    .command('explain')
    .description('explain a resource, a field, an effective value, a finding or a requirement')
    .argument('<resource>', 'cluster, Cluster/NAME, CW-CIDR-OVERLAP, PRT-8 …')
    .argument('[field]', 'field, as in spec.network.agentIP')
    .option('--dir <dir>', 'manifests to look up Cluster/NAME in', '.')
    .action(run(async () => (await import('./commands/explain.ts')).runExplain));
  program
    .command('schema')
    .description('JSON Schema of the manifests, of one kind, of the plan, or the CRDs')
    .argument('[kind]', 'Platform, Seed, Datacenter, Cluster, AddressPool, Lock or plan')
    .option('--crd', 'CustomResourceDefinitions instead')
    .action(run(async () => (await import('./commands/schema.ts')).runSchema));
  program
    .command('version')
    .description('version of Causeway')
    .action(run(async () => (await import('./commands/version.ts')).runVersion));
  program
    .command('completion')
    .description('completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(run(async () => (await import('./commands/completion.ts')).runCompletion));
}

function describeWork(program: Command): void {
  program
    .command('bench')
    .description('run a benchmark')
    .argument('<name>', 'plan')
    .option('--json <file>', 'write the rows as JSON too')
    .action(run(async () => (await import('./commands/bench.ts')).runBench));
  program
    .command('test')
    .description('run everything: types, lint, unit, laws, interop')
    .option('--quick', 'without what needs foreign programs')
    .option('--update', 'write golden files and generated documents anew')
    .option('--soak', 'long versions')
    .option('--only <pattern>', 'only tests whose file path has this in it')
    .action(run(async () => (await import('./commands/test.ts')).runTest));
}
