import type { Badges, GraphChange, Message, Notification, PostMedia, Subscription } from '../../api/types.js';
import { session } from '../session/session.js';
import { authorizedFetch } from '../client/authorized-fetch.js';
import { client, unwrap } from '../client/client.js';
import { clearReadAfter, setReadAfter } from '../http/read-after.js';
import { getBadges, getReads, onReadEnd, setBadges } from './badges.js';
import { keepStream } from './keep-stream.js';
import type { StreamEvent } from './event-stream.js';
import { emitLive } from './live-events.js';

/** While the stream is down, the counts are asked for so often, in ms (NOTIF-9). */
const POLL_INTERVAL_MS = 5_000;

/**
 * What the tabs of a browser tell each other. `hello`: a tab has opened and asks for the state. `badges`: of a stream that is
 * up; while it is down, those of the tab that answers may be older than those of another one.
 */
type TabMessage =
  | { type: 'hello' }
  | { type: 'state'; up: boolean; badges?: Badges }
  | { type: 'event'; event: StreamEvent };

/** Without a time limit, which a stream would run into. */
const sendStream = authorizedFetch(session, (request) => fetch(request));

/**
 * Keeps this tab up to date: by the event stream (NOTIF-8), which one tab of the browser reads for all of them (UI-64), and
 * while that is down by asking for the counts (NOTIF-9).
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
      const badges = up ? getBadges() : undefined;
      if (leads) channel.postMessage({ type: 'state', up, badges } satisfies TabMessage);
      return;
    }
    if (message.type === 'event') return takeEvent(message.event);
    const opened = message.up && !up;
    up = message.up;
    // For the tab that asked: the others have heard the same events, and may have read something since.
    if (opened && message.badges) setBadges(message.badges);
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
    clearReadAfter();
  };
}

function takeEvent({ name, data, id }: StreamEvent): void {
  if (id !== undefined) setReadAfter(id);
  switch (name) {
    case 'badges':
      return setBadges(JSON.parse(data) as Badges);
    case 'message':
      return emitLive({ type: 'message', data: JSON.parse(data) as Message });
    case 'notification':
      return emitLive({ type: 'notification', data: JSON.parse(data) as Notification });
    case 'graph':
      return emitLive({ type: 'graph', data: JSON.parse(data) as GraphChange });
    case 'subscription':
      return emitLive({ type: 'subscription', data: JSON.parse(data) as Subscription });
    case 'subscribers':
      return emitLive({ type: 'subscribers' });
    case 'post-media':
      return emitLive({ type: 'post-media', data: JSON.parse(data) as PostMedia });
  }
}

/** Asks for the counts while `isNeeded`, unless the tab is hidden; at once when that begins, and when something was read. */
function startPolling(isNeeded: () => boolean, signal: AbortSignal): { check: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  /** Something was read while an answer was under way, which is older then. */
  let again = false;
  /** The reads that the last answer knew of. */
  let known = getReads().begun;
  const wanted = () => isNeeded() && document.visibilityState === 'visible' && !signal.aborted;

  const ask = async () => {
    asking = true;
    // A log-out ends the stream before this tab knows that the session has ended.
    if (!session.isLeaving) await read();
    asking = false;
    timer = wanted() ? setTimeout(() => void ask(), again ? 0 : POLL_INTERVAL_MS) : undefined;
    again = false;
  };
  const read = async () => {
    const before = getBadges();
    const reads = getReads();
    try {
      const badges = await unwrap(client.GET('/api/badges'));
      const isOlder = reads.underWay > 0 || getReads().begun !== reads.begun || getBadges() !== before;
      if (wanted() && !isOlder) takeAnswer(badges);
    } catch {
      // The next one asks again; what the user does tells of a lost connection.
    }
  };
  const takeAnswer = (badges: Badges) => {
    const shown = getBadges();
    const { begun } = getReads();
    const differs = badges.notifications !== shown.notifications || badges.messages !== shown.messages;
    // As many may have arrived as were read here.
    const mayDiffer = begun !== known && badges.notifications + badges.messages > 0;
    known = begun;
    setBadges(badges);
    if (differs || mayDiffer) emitLive({ type: 'reload' });
  };
  const check = () => {
    if (!wanted()) {
      clearTimeout(timer);
      timer = undefined;
    } else if (timer === undefined && !asking) void ask();
  };
  document.addEventListener('visibilitychange', check);
  onReadEnd(() => {
    if (asking) {
      again = true;
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    check();
  }, signal);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', check);
  });
  check();
  return { check };
}
