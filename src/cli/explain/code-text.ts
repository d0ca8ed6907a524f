import { type Code, codes, isWaivable } from '../../model/codes.ts';
import { bold } from '../views/style.ts';
import { facts } from './facts.ts';

export function codeText(code: Code): string {
  const info = codes[code];
  return `${bold(`${code}  ${info.title}`)}\n${info.explanation}\n\n${facts([
    ['SEVERITY', info.severity],
    ['FIX', info.fix],
    ['WAIVABLE', isWaivable(code) ? 'yes, in spec.waivers of the platform' : 'no'],
    ['REQUIREMENTS', info.rows.join(', ')],
  ])}`;
}
