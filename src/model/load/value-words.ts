// Values of the right type that cannot be: not in the list, too large, not an address.
import type { z } from 'zod';
import { nearest } from '../../core/suggest.ts';
import type { Told } from './explain-issues.ts';
import { typeOf } from './type-words.ts';

type Words = Omit<Told, 'path' | 'part'>;
type Issue = z.core.$ZodIssue;
type Limit = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

export function explainValue(issue: Issue, found: unknown): Words {
  if (issue.code === 'invalid_value') return explainChoice(issue.values.map(String), found);
  if (issue.code === 'too_small' || issue.code === 'too_big') return explainLimit(issue);
  if (issue.code === 'custom') return explainSentence(issue.message);
  if (issue.code === 'invalid_format') {
    return { code: 'CW-FIELD-VALUE', message: `is ${quoted(found)}; ${issue.message}`, fix: 'Write it in that form.' };
  }
  return { code: 'CW-FIELD-VALUE', message: `is not possible: ${issue.message}`, fix: 'Use another value.' };
}

function explainChoice(choices: readonly string[], found: unknown): Words {
  if (typeof found !== 'string') {
    return {
      code: 'CW-FIELD-TYPE',
      message: `must be one of ${choices.join(', ')}, found ${typeOf(found)}`,
      fix: `Write one of ${choices.join(', ')}.`,
    };
  }
  const near = nearest(found.slice(0, 80), choices);
  const fix = near === undefined ? `Write one of ${choices.join(', ')}.` : `Did you mean ${near}?`;
  return { code: 'CW-FIELD-VALUE', message: `must be one of ${choices.join(', ')}, found ${quoted(found)}`, fix };
}

function explainLimit(issue: Limit): Words {
  const [bound, limit] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  const unit = { string: limit === 1 ? 'character' : 'characters', array: limit === 1 ? 'entry' : 'entries' }[
    issue.origin as string
  ];
  const message = unit === undefined ? `must be ${bound} ${limit}` : `must have ${bound} ${limit} ${unit}`;
  return {
    code: 'CW-FIELD-VALUE',
    message,
    fix: issue.code === 'too_small' ? 'Add what is missing.' : 'Make it smaller.',
  };
}

/** The model's own sentences end in what to write, or in what would be right. */
function explainSentence(sentence: string): Words {
  const end = sentence.lastIndexOf('; ');
  const [what, fix] = end < 0 ? [sentence] : [sentence.slice(0, end), sentence.slice(end + 2)];
  if (/^set exactly one of /.test(sentence))
    return { code: 'CW-FIELD-VALUE', message: 'is not decided', fix: capital(`${sentence}.`) };
  return {
    code: 'CW-FIELD-VALUE',
    message: `is not valid: ${what}`,
    fix: fix === undefined ? 'Correct it; "causeway explain" shows what the field takes.' : capital(`${fix}.`),
  };
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const quoted = (found: unknown): string => JSON.stringify(String(found).slice(0, 80));
