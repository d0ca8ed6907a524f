// What to open and what to close. Nothing is closed that something else still needs, nothing is asked for twice.
import { memo } from '../../core/memo.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { type MatrixLine, matrixLines } from '../firewall/lines.ts';
import { holesOf, without } from './boxes.ts';
import { boxesOf, lineText, restTexts } from './openings.ts';
import { mergedRequests, type Request } from './request.ts';

/** A rule is its addresses: when a network moves, the old rule may be closed and a new one is needed. */
export function firewallRequests(wanted: Plan, open: Plan): Request[] {
  const [lines, others] = [crossing(wanted), crossing(open)];
  const known = new Set(others.map(lineText));
  const changed = lines.filter((line) => !known.has(lineText(line)));
  if (changed.length === 0) return [];
  const holes = openedBy(open);
  return mergedRequests(
    changed.flatMap((line) => {
      const boxes = boxesOf(line);
      const rest = boxes.flatMap((box) => without(box, holes));
      const isWhole = rest.length === boxes.length && rest.every((box, i) => box === boxes[i]);
      const texts = isWhole ? [lineText(line)] : restTexts(line, rest);
      return texts.map((text) => ({ text, reasons: line.reasons, rows: line.requirements }));
    }),
  );
}

const crossing = memo((plan: Plan): readonly MatrixLine[] => matrixLines(plan).filter(({ from, to }) => from !== to));
const openedBy = memo((plan: Plan) => holesOf(crossing(plan).flatMap(boxesOf)));
