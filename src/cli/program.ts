// Names, arguments and options of every command, with nothing behind them: help must be instant.

import { type Command, Help, Option } from 'commander';
import { lifetimes } from '../core/lifetimes.ts';
import { type AgentFlag, adminForms, agentDescription, agentFlags } from './agent-flags.ts';
import { versionText } from './commands/version.ts';
import { describeCluster } from './describe-cluster.ts';
import { list, manifests, onlyOne, platformArgument, run, ttl, ttlOf } from './description.ts';
import { durationOption } from './duration-option.ts';

const grace = (text: string, flag = '--grace'): Option => durationOption(`${flag} <duration>`, text, { zero: true });
const { kubeconfig } = lifetimes;

/** Names that commands had before: they work, and help does not show them. */
const withoutFormerName = (shown: string): string => shown.replace('programs|binaries', 'programs');
const help: Partial<Help> = {
  subcommandTerm: (command) => withoutFormerName(Help.prototype.subcommandTerm(command)),
  commandUsage: (command) => withoutFormerName(Help.prototype.commandUsage(command)),
};

/** `name` is what a person types to start it. */
export function describeCommands(program: Command, name = 'causeway'): Command {
  program
    .name(name)
    .description('Makes Kubernetes clusters reachable across networks that were not built for it.')
    .option('--no-color', 'plain text')
    .version(versionText(), '--version', 'version of Causeway')
    .exitOverride()
    .configureHelp(help)
    .showHelpAfterError(`(${name} --help shows the commands)`)
    .hook('preAction', (command) => {
      if (command.opts().color === false) process.env.NO_COLOR = '1';
    });
  describePlatform(program);
  describeCluster(program);
  describeManifests(program);
  describeKnowledge(program);
  describePrograms(program);
  describeGateway(program);
  describeAgent(program);
  describeWork(program);
  return program;
}

function describePlatform(program: Command): void {
  program
    .command('up')
    .description('run a whole platform on this machine, and keep it as the manifests say')
    .argument('[dir]', `${platformArgument}; written from the template local where there is none`)
    .option('--clusters <names>', 'only these clusters, as in tunneling,nodeport')
    .addOption(
      onlyOne('--worker, --workers <kind>', 'workers to play here (default: demo where everything is on loopback)', [
        'demo',
        'real',
        'none',
      ]),
    )
    .option('--port <port>', 'port of the page (default: 9900, or a free one)')
    .option('--api-address <address>', 'address of the page; any but loopback needs TLS and a login', '127.0.0.1')
    .option('--tls-cert <file>', 'certificate of the page, PEM; read again when it changes')
    .option('--tls-key <file>', 'its key')
    .option('--url <url>', 'where people reach the page, as in https://causeway.example.com')
    .option(
      '--trusted-proxy <network>',
      'balancer before the page, whose X-Forwarded-For is believed; may be repeated',
      list,
    )
    .option('--role <role=group>', 'who is admin, operator or viewer: a group, or the address of a user', list)
    .option('--claim <name>', 'claim of the OpenID provider with the groups (default: groups)')
    .option('--secrets-dir <dir>', 'directory that secret files are in (default: secrets, beside the manifests)')
    .option('--secret-env <name>', 'variable that may hold a secret, besides CAUSEWAY_SECRET_…; may be repeated', list)
    .option('--detach', 'go on in the background; returns when all is ready')
    .addOption(durationOption('--wait <duration>', 'how long --detach waits for that').default('20m'))
    .action(run(async () => (await import('./commands/up.ts')).runUp));
  program
    .command('down')
    .description('stop the platform that runs on a directory; its data stays')
    .argument('[dir]', platformArgument)
    .action(run(async () => (await import('./commands/down.ts')).runDown));
  program
    .command('status')
    .description('what runs, and what does not and why')
    .argument('[dir]', platformArgument)
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/status.ts')).runStatus));
  program
    .command('kubeconfig')
    .description('print a kubeconfig for a cluster of the running platform')
    .argument('<cluster>', 'name of the cluster')
    .addOption(onlyOne('--role <role>', 'what it may do', ['admin', 'viewer']).default('admin'))
    .addOption(
      durationOption(
        '--ttl <duration>',
        `how long it is good; at most ${kubeconfig.most}`,
        ttlOf('kubeconfig'),
      ).default(kubeconfig.usual),
    )
    .option('--dir <dir>', platformArgument)
    .action(run(async () => (await import('./commands/kubeconfig.ts')).runKubeconfig));
  program
    .command('kubectl')
    .description('run kubectl on a cluster of the running platform; fetches it where it is missing')
    .argument('<cluster>', 'name of the cluster')
    .argument('[args...]', 'all that follows the cluster goes to kubectl as it is: get pods -n web')
    .addOption(onlyOne('--role <role>', 'what it may do', ['admin', 'viewer']).default('admin'))
    .addOption(durationOption('--ttl <duration>', 'how long its kubeconfig is good', ttlOf('kubeconfig')).default('1h'))
    .option('--dir <dir>', platformArgument)
    .usage('[options] <cluster> [args of kubectl...]')
    .action(run(async () => (await import('./commands/kubectl.ts')).runKubectl));
  describeCredentials(program);
  describeAudit(program);
  program
    .command('logs')
    .description('log of a component of the running platform; without a name its own')
    .argument('[component]', 'etcd, kube-apiserver, konnectivity-agent …')
    .option('--cluster <name>', 'whose component, where several have one')
    .option('-f, --follow', 'go on with what comes')
    .option('--lines <n>', 'how many lines', '200')
    .option('--dir <dir>', platformArgument)
    .action(run(async () => (await import('./commands/logs.ts')).runLogs));
  program
    .command('password-hash')
    .description('ask for a password and print its bcrypt hash, for somebody who logs in to the page')
    .action(run(async () => (await import('./commands/password-hash.ts')).runPasswordHash));
}

function describeAudit(program: Command): void {
  const audit = program.command('audit').description('who did what to the platform, by the page, the API and commands');
  audit
    .command('list')
    .description('the newest entries of the audit log')
    .option('--lines <n>', 'how many', '50')
    .option('--dir <dir>', platformArgument)
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/audit.ts')).runAuditList));
  audit
    .command('verify')
    .description('that no entry was changed, dropped or added')
    .option('--dir <dir>', platformArgument)
    .action(run(async () => (await import('./commands/audit.ts')).runAuditVerify));
}

function describeCredentials(program: Command): void {
  const credentials = program
    .command('credentials')
    .description('who has access to the running platform and its clusters: sessions, tokens, kubeconfigs');
  credentials
    .command('list')
    .description('those that have not ended')
    .option('--person <name>', 'only those of one person')
    .option('--dir <dir>', platformArgument)
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/credentials.ts')).runCredentialsList));
  credentials
    .command('revoke')
    .description('end some of them now: what is asked with them is refused')
    .argument('[ids...]', 'as the list has them')
    .option('--person <name>', 'all that one person has')
    .option('--dir <dir>', platformArgument)
    .action(run(async () => (await import('./commands/credentials.ts')).runCredentialsRevoke));
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
    .argument('[dir]', manifests)
    .addOption(onlyOne('-o, --output <format>', 'format', ['text', 'json', 'sarif', 'github']).default('text'))
    .action(run(async () => (await import('./commands/validate.ts')).runValidate));
  program
    .command('plan')
    .description('compute flows, names, certificates, addresses and the allow-list')
    .argument('[dir]', manifests)
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'wide', 'json', 'yaml']).default('table'))
    .addOption(onlyOne('--by <view>', 'view', ['flow', 'cluster', 'place']).default('flow'))
    .option('--from <place>', 'only flows from here (users, seed, datacenter/NAME …)')
    .option('--to <place>', 'only flows to there')
    .option('--lock', 'keep the proposed addresses and node ports in causeway.lock.yaml')
    .action(run(async () => (await import('./commands/plan.ts')).runPlan));
  program
    .command('render')
    .description('write the artefacts to ask others for')
    .argument('[dir]', manifests)
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
    .option('--dir <dir>', 'directory of the manifests inside the revisions (default: their top, or platform)')
    .addOption(onlyOne('-o, --output <format>', 'format', ['text', 'json', 'md']).default('text'))
    .action(run(async () => (await import('./commands/diff.ts')).runDiff));
}

function describeKnowledge(program: Command): void {
  program
    .command('explain')
    .description('explain a resource, a field, an effective value, a finding or a requirement')
    .argument('<resource>', 'cluster, Cluster/NAME, CW-CIDR-OVERLAP, PRT-8 …')
    .argument('[field]', 'field, as in spec.network.agentIP')
    .option('--dir <dir>', `${platformArgument}, to look up Cluster/NAME in`)
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
    .command('install')
    .description('make "causeway" a command of this user, or of all when root asks, with completion for shells')
    .option('--dir <dir>', 'directory for the link (default: ~/.local/bin, for root /usr/local/bin)')
    .option('--undo', 'remove what it has made')
    .action(run(async () => (await import('./commands/install.ts')).runInstall));
  program
    .command('completion')
    .description('completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(run(async () => (await import('./commands/completion.ts')).runCompletion));
}

function describePrograms(program: Command): void {
  program
    .command('programs')
    .alias('binaries')
    .description('list, get or locate the programs of others that we run: kube-apiserver, etcd, envoy …')
    .argument('<action>', 'list, get or path')
    .argument(
      '[names...]',
      'programs, as in kubectl or kubectl@1.36.1; get without names: what tests of the gateway need',
    )
    .option('--dir <dir>', 'directory with programs of your own, which win; default is CAUSEWAY_PROGRAMS')
    .addOption(onlyOne('-o, --output <format>', 'format of the list', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/programs.ts')).runPrograms));
}

function describeWork(program: Command): void {
  program
    .command('bench')
    .description('run a benchmark')
    .argument('<name>', 'plan, up, gateway, starvation or tenants')
    .option('-o, --output <format>', 'json instead of a table')
    .option('--json <file>', 'write the rows as JSON too')
    .option('--only <rows>', 'only these rows, as in sni-requests,sni-bulk-1')
    .option('--peers <names>', 'only these peers, as in envoy,nginx')
    .option('--peers-only', 'without ourselves')
    .option('--rounds <n>', 'rounds of which the median is taken')
    .option('--profile', 'write processor profiles of our own processes')
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

function describeGateway(program: Command): void {
  // No required options here: commander would ask for them before the commands below as well.
  const gateway = program
    .command('gateway')
    .description('run the shared entry of a seed from a snapshot')
    .option('--snapshot <file>', 'what to run by; watched, and taken over when it changes')
    .option('--listen <address>', 'address of the shared ports; may be repeated (default: 127.0.0.1 and ::1)', list)
    .option('--admin <address>', `health, metrics and commands: ${adminForms('gateway')}`)
    .option('--admin-token-file <file>', 'bearer token that is asked for at an admin address with a port')
    .option('--workers <n>', 'processes that carry connections (default: one per core)')
    .addOption(grace('how long open connections may go on at the end or when a worker is replaced').default('30s'))
    .addOption(grace('the same of a worker or process that was replaced', '--replaced-grace'))
    .option('--successor <file>', 'JSON that says how the next process is started at an upgrade: file, args, env')
    .option('--start-empty', 'go on without routes where the snapshot is missing or cannot be served')
    .option('--pid-file <file>', 'file with the number of the process that serves')
    .action(run(async () => (await import('./commands/gateway.ts')).runGatewayCommand));
  gateway
    .command('pki')
    .description('make keys and certificates for a gateway; what is there already stays')
    .argument('<dir>', 'directory to write to')
    .option('--name <name>', 'name or address of the gateway; may be repeated', list)
    .option('--client <cluster>', 'a certificate for the agents of this cluster too; may be repeated', list)
    .action(run(async () => (await import('./commands/gateway-pki.ts')).runGatewayPki));
  gateway
    .command('token')
    .description('print a token for the agents of a cluster')
    .argument('<cluster>', 'name of the cluster in the snapshot')
    .requiredOption('--key <file>', 'private key that signs it (token.key)')
    .option('--node <name>', 'only for the agent of this node, which can then be evicted alone')
    .addOption(durationOption('--ttl <duration>', 'how long it is good', ttl).default('720h'))
    .action(run(async () => (await import('./commands/gateway-token.ts')).runGatewayToken));
}

function describeAgent(program: Command): void {
  const agent = program.command('agent').description(agentDescription);
  for (const flag of agentFlags) agent.addOption(agentOption(flag));
  agent.action(run(async () => (await import('./commands/agent.ts')).runAgentCommand));
}

function agentOption({ name, short, value, text, kind, choices, default: unset }: AgentFlag): Option {
  const flags = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
  const option = kind === 'duration' ? durationOption(flags, text, { zero: true }) : new Option(flags, text);
  if (kind === 'list') option.argParser(list);
  if (choices !== undefined) option.choices(choices);
  if (unset !== undefined) option.default(unset);
  return option.makeOptionMandatory(kind === 'required' || kind === 'list');
}
