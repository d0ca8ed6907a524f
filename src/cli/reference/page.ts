import { markdownText } from '../../render/text/tables.ts';

const generated = '<!-- Generated from the sources by ./causeway test --update; edits here are lost. -->';

export const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${markdownText(title)}`, generated, ...parts.filter((part) => part !== '')].map((part) => part.trimEnd()).join('\n\n')}\n`;
