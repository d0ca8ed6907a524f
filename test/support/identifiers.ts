// The names that code uses, for tests about naming.

const comment = /\/\*[\s\S]*?\*\/|\/\/.*/;
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
/** A slash that follows an operator or a bracket begins a regular expression; elsewhere it divides. */
const regularExpression = /(?<=[(,=:[!&|?{};\n]\s*|\breturn )\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const name = /[A-Za-z_$][\w$]*/;
const tokens = [comment, quoted, regularExpression, /[`{}]/, name].map(({ source }) => source).join('|');
/** Text of a template, up to its end or to what it inserts. */
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

/** Without comments and the text of strings; what a template inserts is code. */
export function identifiersOf(text: string): string[] {
  const token = new RegExp(tokens, 'g');
  const names: string[] = [];
  /** One entry for each open brace: whether its end goes on with the text of a template. */
  const open: boolean[] = [];
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [it] = found;
    if (it === '{') open.push(false);
    else if (it === '`' || (it === '}' && open.pop() === true)) {
      templateText.lastIndex = token.lastIndex;
      const [skipped = ''] = templateText.exec(text) ?? [];
      token.lastIndex += skipped.length;
      if (skipped.endsWith('{')) open.push(true);
    } else if (/^[\w$]/.test(it)) names.push(it);
  }
  return names;
}

/** 'readOwnPki' and 'read-own-pki' are read, own, pki. */
export const wordsIn = (identifier: string): string[] =>
  identifier.split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]/).map((word) => word.toLowerCase());
