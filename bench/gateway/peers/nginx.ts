import path from 'node:path';
import { nginxStreamModule } from '../../programs.ts';
import { start } from '../processes.ts';
import { configure, freePort, type StartSubject } from '../subject.ts';

export const startNginx: StartSubject = async (setting) => {
  const port = await freePort();
  const config = configure(setting, 'nginx-sni.conf', { PORT: port, STREAM_MODULE: nginxStreamModule() });
  const program = start({
    name: 'nginx',
    file: setting.programs.nginx,
    args: ['-p', setting.directory, '-c', config, '-e', path.join(setting.directory, 'nginx-error.log')],
    log: path.join(setting.directory, 'nginx.log'),
  });
  return { name: 'nginx', address: `127.0.0.1:${port}`, programs: [program] };
};
