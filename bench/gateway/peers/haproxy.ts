import path from 'node:path';
import { start } from '../processes.ts';
import { configure, freePort, type StartSubject } from '../subject.ts';

export const startHaproxy: StartSubject = async (setting) => {
  const port = await freePort();
  const config = configure(setting, 'haproxy-sni.cfg', { PORT: port });
  const program = start({
    name: 'haproxy',
    file: setting.programs.haproxy,
    args: ['-db', '-f', config],
    log: path.join(setting.directory, 'haproxy.log'),
  });
  return { name: 'haproxy', address: `127.0.0.1:${port}`, programs: [program] };
};
