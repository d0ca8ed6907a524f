import { type AgentFlags, readOptions, runAgent, runCheck } from '../../agent/index.ts';
import { foregroundLog, say } from '../started-as.ts';

interface Flags extends AgentFlags {
  readonly check?: boolean;
  readonly output: 'text' | 'json';
}

export async function runAgentCommand(flags: Flags): Promise<number> {
  // In place of the arguments, where a password of the proxy may be; as early as can be, before anything is waited for.
  process.title = 'causeway agent';
  const options = readOptions(flags, process.env);
  if (flags.proxy !== undefined && options.proxy?.credentials !== undefined) warnOfPassword();
  return flags.check ? runCheck(options, flags.output, say) : runAgent(options, foregroundLog());
}

/** The title hides it from then on: not from who looked before, and not where arguments are written down. */
const warnOfPassword = (): unknown =>
  process.stderr.write(
    'warning: the password of the proxy was among the arguments, where every user of this machine could see it for a moment; the history of a shell, a unit file or an audit log may keep it [CW-AGENT-PASSWORD]\n' +
      '  fix: put it into a file as user:password and give --proxy-credentials-file FILE\n',
  );
