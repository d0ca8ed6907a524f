// Envoy, as KKP configures it: as the gateway for SNI, and as agent and gateway of the tunnel.
import path from 'node:path';
import { type Program, start } from '../processes.ts';
import { configure, freePort, type Setting, type StartSubject } from '../subject.ts';

export const startEnvoySni: StartSubject = async (setting) => {
  const port = await freePort();
  const program = startEnvoy(setting, 'envoy-sni', configure(setting, 'envoy-sni.yaml', { PORT: port }));
  return { name: 'envoy', address: `127.0.0.1:${port}`, programs: [program] };
};

export const startEnvoyTunnel: StartSubject = (setting) => startPair(setting, '');
export const startEnvoyTunnelTls: StartSubject = (setting) => startPair(setting, '-tls');

const startPair = async (setting: Setting, suffix: string): ReturnType<StartSubject> => {
  const [gateway, agent] = [await freePort(), await freePort()];
  const gatewayConfig = configure(setting, `envoy-tunnel-gateway${suffix}.yaml`, { PORT: gateway });
  const agentConfig = configure(setting, `envoy-tunnel-agent${suffix}.yaml`, { PORT: agent, GATEWAY: gateway });
  return {
    name: 'envoy',
    address: `127.0.0.1:${agent}`,
    programs: [
      startEnvoy(setting, `envoy-tunnel-gateway${suffix}`, gatewayConfig),
      startEnvoy(setting, `envoy-tunnel-agent${suffix}`, agentConfig),
    ],
  };
};

export function startEnvoy(setting: Setting, name: string, config: string): Program {
  const quiet = ['--log-level', 'error', '--disable-hot-restart'];
  const args = ['--config-path', config, '--concurrency', String(setting.workers), ...quiet];
  return start({ name, file: setting.programs.envoy, args, log: path.join(setting.directory, `${name}.log`) });
}
