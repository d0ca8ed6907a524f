// Types as people say them: "network", "list of ports", "NodePort, LoadBalancer or Tunneling".
import type { JsonSchema } from '../../model/json-schema.ts';
import { mapValueOf } from './fields.ts';

/** `[]` in front stands for a list of it, `map of` for names that people choose. */
export function typeOf(schema: JsonSchema): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `[]${schema.items === undefined ? 'value' : typeOf(schema.items)}`;
  const value = mapValueOf(schema);
  if (value !== undefined) return `map of ${typeOf(value)}`;
  return [schema.type ?? 'unknown'].flat().map(typeName).join(' or ');
}

const typeName = (type: string): string => typeNames[type] ?? type;

const typeNames: Record<string, string> = {
  string: 'text',
  object: 'block',
  boolean: 'true or false',
  unknown: 'any value',
};

/** The values that are possible, of the field itself or of the entries of a list. */
export const choicesOf = (schema: JsonSchema): string[] =>
  (schema.enum ?? schema.items?.enum ?? []).filter((choice) => choice !== null).map(String);

/** How a value of this type is written. Keyed by the titles of the scalars. */
export const forms: Readonly<Record<string, string>> = {
  name: 'up to 55 lower-case letters, digits and inner hyphens',
  'host name': 'a DNS name, as in api.example.com',
  'host name or IP address': 'a DNS name, or an address as in 10.0.0.1 or 2001:db8::1',
  'IP address': 'an address of either family, as in 10.0.0.1 or 2001:db8::1',
  network: 'address and prefix length without host bits, as in 10.0.0.0/24 or 2001:db8::/64',
  'address range': 'a network (10.0.0.0/24), first and last address (10.0.0.10-10.0.0.20), or one address',
  'host:port': 'as in api.example.com:6443; an IPv6 address goes in brackets',
  URL: 'http:// or https://, without credentials',
  'git URL': 'whatever git clone takes',
  'port range': 'first and last port, as in 30000-32767',
  port: '1 to 65535',
  'catalogue row': 'the id of a requirement, as in LB-3',
  duration: 'numbers with ms, s, m or h, as in 30s or 1h',
  date: 'year, month and day, as in 2027-03-31',
  'Kubernetes version': 'in full and without v, as in 1.36.3',
  'secret reference': 'where the secret is kept, never the secret itself: env, file or secret',
  'CA bundle reference': 'where the PEM certificates are kept: file or configMap',
};

/** What else bounds a value, in words: "at least 1 entry", "1 to 9". */
export function limitsOf(schema: JsonSchema): string {
  if (schema.title !== undefined) return '';
  if (schema.type === 'integer') return between(schema.minimum, schema.maximum, '');
  return schema.type === 'array' ? between(schema.minItems, schema.maxItems, ' entries') : '';
}

function between(least: unknown, most: unknown, unit: string): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}${unit}`;
  if (most !== undefined) return `${least} to ${most}${unit}`;
  return `at least ${least}${least === 1 ? unit.replace('ies', 'y') : unit}`;
}
