import type { CodeInfo } from '../finding.ts';

/** Files and YAML: what keeps a document from being read at all. */
export const fileCodes = {
  'CW-FILE-UNREADABLE': {
    severity: 'error',
    title: 'A file or directory cannot be read',
    explanation:
      'A manifest that cannot be read may hold anything, so the plan would be incomplete without saying so. Broken links, missing rights and devices count as unreadable.',
    fix: 'Make the file readable, or list it in .causewayignore.',
    rows: [],
  },
  'CW-FILE-LOOP': {
    severity: 'error',
    title: 'A directory is reached twice through links',
    explanation:
      'A link leads back into a directory that is read already. Following it would never end, or read everything twice.',
    fix: 'Remove the link, or list it in .causewayignore.',
    rows: [],
  },
  'CW-FILE-ENCODING': {
    severity: 'error',
    title: 'A file is not UTF-8',
    explanation:
      'Manifests are UTF-8, with or without a byte order mark. Guessing another encoding would change names silently.',
    fix: 'Save the file as UTF-8.',
    rows: [],
  },
  'CW-FILE-TOO-LARGE': {
    severity: 'error',
    title: 'A file or document is larger than manifests ever are',
    explanation: 'Files may have 64 MiB and a single document 1 MiB; Kubernetes itself accepts no larger objects.',
    fix: 'Split the file, or list it in .causewayignore if it is no manifest.',
    rows: [],
  },
  'CW-EMPTY': {
    severity: 'error',
    title: 'There is no manifest to read',
    explanation: 'The directory, file or input holds no YAML document, so there is nothing to plan.',
    fix: 'Write manifests with "causeway init", or name the directory that holds them.',
    rows: [],
  },
  'CW-YAML-SYNTAX': {
    severity: 'error',
    title: 'A document is not valid YAML',
    explanation:
      'The text breaks a rule of YAML 1.2. The rest of the file is read on from the next line with three hyphens.',
    fix: 'Correct the text at the place that is named; often it is indentation, a missing quote or a tab.',
    rows: [],
  },
  'CW-YAML-DUPLICATE-KEY': {
    severity: 'error',
    title: 'A key is written twice in one mapping',
    explanation: 'YAML programs disagree on which of the two counts, so neither is taken.',
    fix: 'Remove one of the two.',
    rows: [],
  },
  'CW-YAML-KEY': {
    severity: 'error',
    title: 'A key is not plain text',
    explanation:
      'Fields and labels have names. Numbers, true, null and lists as keys are read differently by different programs.',
    fix: 'Put the key in quotes.',
    rows: [],
  },
  'CW-YAML-TAG': {
    severity: 'error',
    title: 'Tags and directives are not supported',
    explanation:
      'Manifests consist of text, numbers, true, false, lists and mappings. A tag (!name) or directive (%NAME) would change what they mean.',
    fix: 'Remove the tag or directive; a value that begins with ! or % goes in quotes.',
    rows: [],
  },
  'CW-YAML-ALIASES': {
    severity: 'error',
    title: 'Aliases blow a document up, refer to themselves or to nothing',
    explanation:
      'A few nested aliases can stand for billions of values. A document may have 100 000 values after all aliases are followed.',
    fix: 'Write the values out; one that begins with * or & goes in quotes.',
    rows: [],
  },
  'CW-YAML-DEPTH': {
    severity: 'error',
    title: 'A document is nested too deeply',
    explanation: 'No field of a manifest is deeper than a dozen levels; 64 are allowed.',
    fix: 'Remove the superfluous brackets or indentation.',
    rows: [],
  },
} as const satisfies Record<string, CodeInfo>;
