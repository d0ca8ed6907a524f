import type { CodeInfo } from '../finding.ts';

/** Documents and fields: what is readable but not a manifest. */
export const manifestCodes = {
  'CW-API-VERSION': {
    severity: 'error',
    title: 'The apiVersion is not one of Causeway',
    explanation:
      'apiVersion and kind say how a document is to be read. Documents of other systems may lie in the same directory only when they are ignored.',
    fix: 'Write apiVersion: causeway.dev/v1alpha1, or list the file in .causewayignore.',
    rows: [],
  },
  'CW-KIND-UNKNOWN': {
    severity: 'error',
    title: 'The kind does not exist',
    explanation: 'Kinds are Platform, Seed, Datacenter, Cluster and AddressPool, spelled exactly like this.',
    fix: 'Use one of the kinds.',
    rows: [],
  },
  'CW-FIELD-UNKNOWN': {
    severity: 'error',
    title: 'A field does not exist',
    explanation:
      'A field that nobody reads is usually a slip of the keyboard or of the indentation, and its value would silently not apply.',
    fix: 'Correct the name or the indentation; "causeway explain KIND" lists the fields.',
    rows: [],
  },
  'CW-FIELD-MISSING': {
    severity: 'error',
    title: 'A required field is missing',
    explanation: 'The plan cannot be computed without it, and no default would be right everywhere.',
    fix: 'Add the field.',
    rows: [],
  },
  'CW-FIELD-TYPE': {
    severity: 'error',
    title: 'A field holds the wrong type of value',
    explanation:
      'YAML decides between text, number, true, false and nothing by how a value is written: 1.36 is a number, "1.36" is text.',
    fix: 'Write the value as the type that is asked for.',
    rows: [],
  },
  'CW-FIELD-VALUE': {
    severity: 'error',
    title: 'The value of a field is not possible',
    explanation:
      'The type is right, but the value is outside of what can work: no address, no name, not in the list of choices, too large.',
    fix: 'Use a value as the finding says.',
    rows: [],
  },
  'CW-FINDINGS-LIMIT': {
    severity: 'error',
    title: 'A document has more findings than are shown',
    explanation: 'Only the first findings of a document are shown, because the rest usually follows from them.',
    fix: 'Correct what is shown and try again.',
    rows: [],
  },
  'CW-DUPLICATE': {
    severity: 'error',
    title: 'Two documents have the same kind and name',
    explanation: 'A name stands for one thing. Which of the two counts would depend on the order of files.',
    fix: 'Rename or remove one of the two.',
    rows: [],
  },
  'CW-PLATFORM-MISSING': {
    severity: 'error',
    title: 'There is no Platform',
    explanation:
      'The Platform holds the domain and everything the other documents inherit; every directory has exactly one.',
    fix: 'Add a document of kind Platform.',
    rows: [],
  },
  'CW-PLATFORM-SEVERAL': {
    severity: 'error',
    title: 'There is more than one Platform',
    explanation: 'One directory describes one platform, because names, addresses and allocations are unique within it.',
    fix: 'Keep one, and move the other into a directory of its own.',
    rows: [],
  },
  'CW-REFERENCE': {
    severity: 'error',
    title: 'A document refers to one that does not exist',
    explanation: 'What it refers to is neither in this directory nor in a document that is merely invalid.',
    fix: 'Correct the name, or add the document.',
    rows: [],
  },
  'CW-SEED-DNS-NAME': {
    severity: 'error',
    title: 'Two seeds have the same name in DNS',
    explanation:
      'Names of clusters lie below the DNS name of their seed. Two seeds with one name would answer for each other’s clusters.',
    fix: 'Set spec.dnsName of one of the two.',
    rows: [],
  },
  'CW-SECRET-LITERAL': {
    severity: 'error',
    title: 'A secret is written into a manifest',
    explanation:
      'Manifests are kept in git, and the plan is shown to many. Passwords, tokens and private keys are only ever referred to. The value is not repeated in any output.',
    fix: 'Refer to it by env, file or secret; then change the secret, because it has been seen.',
    rows: [],
  },
  'CW-LOCK-INVALID': {
    severity: 'error',
    title: 'The lock file is not valid',
    explanation:
      'causeway.lock.yaml holds addresses and ports that were given out. Without it they would be given out anew and move.',
    fix: 'Take the file back from version control.',
    rows: [],
  },
} as const satisfies Record<string, CodeInfo>;

/** Waivers: they cannot be waived themselves. */
export const waiverCodes = {
  'CW-WAIVER-EXPIRED': {
    severity: 'error',
    title: 'A waiver has expired',
    explanation:
      'A waiver accepts a finding until a day. After it, the finding counts again and the waiver itself is a mistake.',
    fix: 'Correct what was waived and remove the waiver, or agree on a new day.',
    rows: [],
  },
  'CW-WAIVER-UNUSED': {
    severity: 'warning',
    title: 'A waiver waives nothing',
    explanation:
      'No finding matches it: it was corrected, or the resource is misspelled. Left behind, it would hide the next one.',
    fix: 'Remove the waiver, or correct its code or resource.',
    rows: [],
  },
  'CW-WAIVER-UNKNOWN': {
    severity: 'error',
    title: 'A waiver names a code that does not exist',
    explanation: 'No finding has this code, so the waiver accepts nothing; what it was meant for still counts.',
    fix: 'Correct the code; "causeway explain CODE" knows them all.',
    rows: [],
  },
  'CW-WAIVER-REFUSED': {
    severity: 'error',
    title: 'A waiver names a finding that cannot be waived',
    explanation:
      'Documents that cannot be read or are not valid leave nothing to plan with, and a secret in a manifest stays one.',
    fix: 'Remove the waiver and correct the finding.',
    rows: [],
  },
} as const satisfies Record<string, CodeInfo>;
