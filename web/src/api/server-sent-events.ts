// Server-sent events by fetch: EventSource can send no header, so it cannot say who asks where there is no cookie.
import { ApiError, type Query, stream } from './client.ts';

export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
  /** The newest one so far. */
  readonly id: string;
}

/** Out of the text of a stream, wherever it was cut. */
export async function* eventsIn(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let fields = new Map<string, string>();
  for await (const line of linesIn(chunks)) {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      const before = name === 'data' ? fields.get(name) : undefined;
      fields.set(name, before === undefined ? value : `${before}\n${value}`);
      continue;
    }
    id = fields.get('id') ?? id;
    const data = fields.get('data');
    if (data !== undefined) yield { name: fields.get('event') || 'message', data, id };
    fields = new Map();
  }
}

/** Whole ones: what follows the last end of a line is not finished. */
async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // A return at the end may be the first half of an end.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

export interface Following {
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerSentEvent) => void;
  /** It has ended, and is asked for again in a moment; with a reason where it was refused or nobody answers. */
  readonly onBreak?: (error: ApiError | undefined) => void;
}

const againMs = 2_000;

/** Until it is told to stop; after a break it goes on after the last event that it has seen. */
export function follow(path: string, query: Query, { onOpen, onEvent, onBreak }: Following): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let last = '';
  const once = async (): Promise<void> => {
    const chunks = await stream(path, query, { signal, headers: last === '' ? {} : { 'last-event-id': last } });
    onOpen();
    for await (const event of eventsIn(chunks)) {
      last = event.id;
      onEvent(event);
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const error = await once().catch((reason: unknown) => reason);
      if (signal.aborted) return;
      onBreak?.(error instanceof ApiError ? error : undefined);
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  };
  void run();
  return () => stopped.abort();
}
