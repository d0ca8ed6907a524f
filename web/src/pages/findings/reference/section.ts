// The reference is generated Markdown of a few forms only, so that reading it takes no library.

export type Piece =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

export interface Section {
  readonly paragraphs: readonly (readonly Piece[])[];
}

/** What stands under the heading of this name, up to the next heading. */
export function sectionOf(markdown: string, name: string): Section | undefined {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === name);
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('#'));
  const body = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  const paragraphs = body.filter((line) => line.trim() !== '').map((line) => piecesOf(line.replace(/^- /, '')));
  return { paragraphs };
}

const marked = /\*\*(?<strong>[^*]+)\*\*|\[(?<text>[^\]]+)\]\((?<to>[^)]+)\)|`(?<code>[^`]+)`/g;

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index, 0: whole, groups = {} } of line.matchAll(marked)) {
    if (index > end) pieces.push({ kind: 'text', text: line.slice(end, index) });
    pieces.push(pieceOf(groups));
    end = index + whole.length;
  }
  return end < line.length ? [...pieces, { kind: 'text', text: line.slice(end) }] : pieces;
}

function pieceOf({ strong, text, to, code }: Record<string, string | undefined>): Piece {
  if (strong !== undefined) return { kind: 'strong', text: strong };
  if (code !== undefined) return { kind: 'code', text: code };
  return { kind: 'link', text: (text ?? '').replaceAll('`', ''), to: to ?? '' };
}
