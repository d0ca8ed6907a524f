// Which fields of Workloads somebody reads: a recorder is the same as what it stands for, and notes each access.

/** The type of what a field holds. Others hold values, or records whose keys are names and no fields. */
const types: Readonly<Record<string, string>> = {
  containers: 'Container',
  program: 'Program',
  ports: 'Port',
  mounts: 'Mount',
  content: 'Content',
  probes: 'Probes',
  ready: 'Probe',
  live: 'Probe',
  resources: 'Resources',
  volumes: 'Volume',
  ingress: 'Ingress',
};

function typeOf(value: object, declared: string | undefined): string | undefined {
  if ('ref' in value) return 'Ref';
  return Object.hasOwn(value, 'join') ? 'Text' : declared;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** @param type of the value, or of the elements where it is a list */
export function recordFields<Value extends object>(
  value: Value,
  note: (field: string) => void,
  type: string | undefined = 'Workload',
): Value {
  const isList = Array.isArray(value);
  const seen = (key: string | symbol): void => {
    if (!isList && type !== undefined && typeof key === 'string') note(`${type}.${key}`);
  };
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      // Methods of lists, and what JSON.stringify looks for.
      if (typeof found === 'function' || key === 'toJSON') return found;
      seen(key);
      if (!isObject(found)) return found;
      return recordFields(found, note, typeOf(found, isList ? type : types[String(key)]));
    },
    has(target, key) {
      if (Reflect.has(target, key)) seen(key);
      return Reflect.has(target, key);
    },
  });
}

/** What `read` reads of a value. */
export function fieldsRead<Value extends object>(value: Value, read: (value: Value) => unknown): Set<string> {
  const fields = new Set<string>();
  // What was only passed on is read by whoever takes it.
  JSON.stringify(read(recordFields(value, (field) => fields.add(field))));
  return fields;
}
