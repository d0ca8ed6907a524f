// Every reason why a gateway refuses a connection, as its log, metrics and answers name it.
import { refusals } from '../../gateway/index.ts';
import { code, markdownTable, markdownText } from '../../render/text/markdown.ts';
import { page } from './page.ts';

export const refusalsPage = (): string =>
  page('Refusals', [
    'Why a gateway did not carry a connection: `refusal` in its log, `reason` in its metrics, `causeway-refusal` in the answer to an agent.',
    markdownTable(
      ['reason', 'what happened', 'what to do', 'answer to an agent'],
      Object.entries(refusals).map(([reason, { sentence, fix, status }]) => [
        code(reason),
        markdownText(sentence),
        markdownText(fix),
        String(status),
      ]),
    ),
  ]);
