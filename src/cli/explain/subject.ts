// What a person wants explained: a kind, a document, a finding code, a requirement, the plan or the lock.
import { CausewayError } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';
import { type Code, codes } from '../../model/index.ts';
import { type Kind, kinds } from '../../model/schema/index.ts';
import { type Row, rowById } from '../../plan/catalogue/index.ts';

export type Subject =
  | { readonly is: 'schema'; readonly name: Described; readonly field: string }
  | { readonly is: 'document'; readonly kind: Kind; readonly name: string }
  | { readonly is: 'code'; readonly code: Code }
  | { readonly is: 'requirement'; readonly row: Row };

const described = [...kinds, 'Lock', 'Plan'] as const;
export type Described = (typeof described)[number];

export function subjectOf(text: string): Subject {
  const [head = '', ...rest] = text.split('.');
  const [kindText = '', name] = text.split('/');
  const kind = singular(kindText, kinds);
  if (name !== undefined && kind !== undefined) return { is: 'document', kind, name };
  const schema = singular(head, described);
  if (schema !== undefined) return { is: 'schema', name: schema, field: rest.join('.') };
  const upper = text.toUpperCase();
  if (Object.hasOwn(codes, upper)) return { is: 'code', code: upper as Code };
  const row = rowById.get(upper);
  if (row !== undefined) return { is: 'requirement', row };
  throw unknownSubject(text);
}

/** Of Clutser/shop and clutser.spec only the kind is mistyped. */
function meantBy(text: string): string | undefined {
  const [kindText = '', separator = '', rest = ''] = text.slice(0, 80).split(/([./])(.*)/s);
  const names = separator === '/' ? kinds : described.map((name) => name.toLowerCase());
  const known = separator === '' ? [...names, ...Object.keys(codes), ...rowById.keys()] : names;
  const guess = nearest(kindText, known);
  return guess === undefined ? undefined : `${guess}${separator}${rest}`;
}

/** In any case, and in the plural too; "address-pools" is an AddressPool. */
function singular<Name extends string>(text: string, known: readonly Name[]): Name | undefined {
  const plain = text.toLowerCase().replaceAll('-', '');
  return known.find((name) => [name.toLowerCase(), `${name.toLowerCase()}s`].includes(plain));
}

function unknownSubject(text: string): CausewayError {
  const guess = meantBy(text);
  return new CausewayError(
    'CW-CLI-EXPLAIN',
    `there is nothing called "${text.slice(0, 80)}" to explain`,
    `${guess === undefined ? '' : `did you mean ${guess}? `}Name a kind (${described.join(', ')}), a document (Cluster/NAME), a finding code (CW-CIDR-OVERLAP) or a requirement (PRT-8).`,
  );
}
