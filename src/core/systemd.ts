// Text by systemd's rules (systemd.syntax, systemd.exec, systemd.service): unit files, command lines, and the two ways to
// give a variable. Each value comes back from systemd exactly as it was given here, whatever characters it has.

/** Directives of a section; one that is given several times is a list. Values are written as they are. */
export type UnitSection = Readonly<Record<string, string | readonly string[]>>;

export function systemdUnit(sections: Readonly<Record<string, UnitSection>>): string {
  const texts = Object.entries(sections).map(([name, section]) => [`[${name}]`, ...directives(section), ''].join('\n'));
  return texts.join('\n');
}

const directives = (section: UnitSection): string[] =>
  Object.entries(section).flatMap(([name, values]) => [values].flat().map((value) => directive(name, value)));

/** A line break, or a backslash before one, would make the next line part of it or a directive of its own. */
function directive(name: string, value: string): string {
  if (/[\n\r]|\\$/.test(value)) throw new TypeError(`${name}= has a value of more than one line`);
  return `${name}=${value}`;
}

/** What ExecStart= takes. The program has rules of its own there, so it is a plain absolute path. */
export function execLine([program = '', ...args]: readonly string[]): string {
  if (!/^\/[\w+.,/-]+$/.test(program)) throw new TypeError(`${program} is no plain absolute path`);
  return [program, ...args.map((word) => quotedWord(word.replaceAll('$', '$$$$')))].join(' ');
}

/** What Environment= takes. Every user of the machine can read it there: secrets belong into an environment file. */
export const environmentAssignment = (name: string, value: string): string =>
  quotedWord(`${variableName(name)}=${value}`);

/** Words that need no quotes stay readable. A percent sign would be a specifier. */
const quotedWord = (word: string): string => {
  const text = valid(word).replaceAll('%', '%%');
  return /^[\w%$@+=:,./-]+$/.test(text) ? text : `"${Array.from(text, escaped).join('')}"`;
};

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return character === '"' || character === '\\' ? `\\${character}` : character;
}

/**
 * The content of a file for EnvironmentFile=. There are no specifiers in it. Within double quotes a backslash protects
 * exactly what it protects in a shell, in all versions of systemd, so that a shell can read the file too.
 */
export const environmentFile = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${variableName(name)}="${valid(value).replaceAll(/["\\$`]/g, '\\$&')}"\n`)
    .join('');

function variableName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new TypeError(`${name} is no name of a variable`);
}

/** What systemd refuses to have in a value: it would leave out the variable, or the unit, with a line in its log only. */
function valid(text: string): string {
  if (!text.includes('\0') && text.isWellFormed() && !/\p{Noncharacter_Code_Point}/u.test(text)) return text;
  throw new TypeError('systemd takes no NUL, no half of a character and no noncharacter of Unicode');
}
