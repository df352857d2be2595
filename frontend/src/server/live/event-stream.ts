import { createParser } from 'eventsource-parser';

/** An event of the stream: its name, and its data and id as they were sent. */
export interface StreamEvent {
  name: string;
  data: string;
  id?: string | undefined;
}

/** Why a connection ended. `refused`: the server answered with a status other than 200. */
export type StreamEnd = 'ended' | 'failed' | { refused: number };

/** Nothing in this time, in ms, not even a heartbeat: the connection is lost, though nobody has said so. */
const MAX_SILENCE_MS = 60_000;

interface StreamOptions {
  send: (request: Request) => Promise<Response>;
  signal: AbortSignal;
  onOpen: () => void;
  onEvent: (event: StreamEvent) => void;
}

/**
 * One connection to GET /api/events, until it ends. Read by fetch, whose header carries the access token: EventSource would
 * need it in the address (NOTIF-8).
 */
export async function readStream({ send, signal, onOpen, onEvent }: StreamOptions): Promise<StreamEnd> {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), MAX_SILENCE_MS);
  };
  heard();
  const onAbort = () => silent.abort();
  signal.addEventListener('abort', onAbort);
  try {
    const response = await send(
      new Request(new URL('/api/events', location.origin), {
        headers: { Accept: 'text/event-stream' },
        cache: 'no-store',
        signal: silent.signal,
      }),
    );
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return { refused: response.status };
    }
    onOpen();
    const parser = createParser({
      onEvent: ({ event = 'message', data, id }) => onEvent({ name: event, data, id }),
    });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'ended';
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch {
    // Offline, aborted, silent, or not readable: whoever keeps the stream connects again.
    return 'failed';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
