import type { Badges, GraphChange, Message, Notification } from '../../api/types.js';
import { session } from '../../session/session.js';
import { authorizedFetch } from '../authorized-fetch.js';
import { client, unwrap } from '../client.js';
import { getBadges, setBadges } from './badges.js';
import { keepStream } from './keep-stream.js';
import type { StreamEvent } from './event-stream.js';
import { emitLive } from './live-events.js';

/** While the stream is down, the counts are asked for so often, in ms (NOTIF-9). */
const POLL = 5_000;

/** What the tabs of a browser tell each other. `hello`: a tab has opened and asks for the state. */
type TabMessage =
  | { type: 'hello' }
  | { type: 'state'; up: boolean; badges?: Badges }
  | { type: 'event'; event: StreamEvent };

/** Without a time limit, which a stream would run into. */
const sendStream = authorizedFetch(session, (request) => fetch(request));

/**
 * Keeps this tab up to date: by the event stream (NOTIF-8), which one tab of the browser reads for all of them, and while
 * that is down by asking for the counts (NOTIF-9).
 * @returns what ends it
 */
export function startLive(viewerId: string): () => void {
  const over = new AbortController();
  const { signal } = over;
  const name = `pulso.live.${viewerId}`;
  const channel = new BroadcastChannel(name);
  let up = false;
  let leads = false;

  const take = (message: TabMessage) => {
    if (signal.aborted) return;
    if (message.type === 'hello') {
      if (leads) channel.postMessage({ type: 'state', up, badges: getBadges() } satisfies TabMessage);
      return;
    }
    if (message.type === 'event') return takeEvent(message.event);
    const opened = message.up && !up;
    up = message.up;
    if (message.badges) setBadges(message.badges);
    // What happened before it was open.
    if (opened) emitLive({ type: 'reload' });
    poll.check();
  };
  const poll = startPolling(() => !up, signal);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => take(data);

  const tell = (message: TabMessage) => {
    if (signal.aborted) return;
    channel.postMessage(message);
    take(message);
  };
  const lead = async () => {
    leads = true;
    tell({ type: 'state', up: false });
    await keepStream({
      send: sendStream,
      signal,
      onState: (isUp) => tell({ type: 'state', up: isUp }),
      onEvent: (event) => tell({ type: 'event', event }),
    });
  };
  channel.postMessage({ type: 'hello' } satisfies TabMessage);
  // Locks exist on secure origins only; without them each tab reads a stream of its own.
  if (navigator.locks) navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  else void lead();

  return () => {
    over.abort();
    channel.close();
  };
}

function takeEvent({ name, data }: StreamEvent): void {
  switch (name) {
    case 'badges':
      return setBadges(JSON.parse(data) as Badges);
    case 'message':
      return emitLive({ type: 'message', data: JSON.parse(data) as Message });
    case 'notification':
      return emitLive({ type: 'notification', data: JSON.parse(data) as Notification });
    case 'graph':
      return emitLive({ type: 'graph', data: JSON.parse(data) as GraphChange });
  }
}

/** Asks for the counts while `isNeeded`, unless the tab is hidden; at once when that begins. */
function startPolling(isNeeded: () => boolean, signal: AbortSignal): { check: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  const wanted = () => isNeeded() && document.visibilityState === 'visible' && !signal.aborted;

  const ask = async () => {
    asking = true;
    const before = getBadges();
    try {
      const badges = await unwrap(client.GET('/api/badges'));
      const isNews = badges.notifications !== before.notifications || badges.messages !== before.messages;
      // Where something was read meanwhile, the answer may be older than that.
      if (wanted() && isNews && getBadges() === before) {
        setBadges(badges);
        emitLive({ type: 'reload' });
      }
    } catch {
      // The next one asks again; what the user does tells of a lost connection.
    }
    asking = false;
    timer = wanted() ? setTimeout(() => void ask(), POLL) : undefined;
  };
  const check = () => {
    if (!wanted()) {
      clearTimeout(timer);
      timer = undefined;
    } else if (timer === undefined && !asking) void ask();
  };
  document.addEventListener('visibilitychange', check);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
  });
  check();
  return { check };
}
