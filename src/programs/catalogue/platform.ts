/** The kind of machine, in the words of Node; other projects say it differently. */
export interface Platform {
  os: string;
  cpu: string;
}

export const thisPlatform: Platform = { os: process.platform, cpu: process.arch };

export const platformName = ({ os, cpu }: Platform): string => `${os}-${cpu}`;

const goWords: Record<string, string> = { x64: 'amd64', ia32: '386', win32: 'windows' };

export const goOs = ({ os }: Platform): string => goWords[os] ?? os;
export const goCpu = ({ cpu }: Platform): string => goWords[cpu] ?? cpu;
