import type { Session } from '../api/types.js';
import type { SignOutReason } from './session-store.js';

export type SessionMessage =
  { type: 'session'; session: Session; expiresAt: number } | { type: 'signed-out'; reason: SignOutReason };

/** How tabs of one browser share a session: a lock around the refresh, and its outcome told to the others. */
export interface SessionChannel {
  exclusively(work: () => Promise<void>): Promise<void>;
  send(message: SessionMessage): void;
  listen(onMessage: (message: SessionMessage) => void): void;
}

const NAME = 'pulso.session';
/** A tab that waited for the lock gives the holder's broadcast this long to arrive before refreshing again. */
const BROADCAST_GRACE = 100;

/** Web Locks and BroadcastChannel. Browsers give locks to secure origins only; without them each tab refreshes for itself. */
export function browserSessionChannel(): SessionChannel {
  const channel = new BroadcastChannel(NAME);
  return {
    async exclusively(work) {
      if (!navigator.locks) return work();
      const free = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
        if (!lock) return false;
        await work();
        return true;
      });
      if (free) return;
      await navigator.locks.request(NAME, async () => {
        await new Promise((resolve) => setTimeout(resolve, BROADCAST_GRACE));
        await work();
      });
    },
    send: (message) => channel.postMessage(message),
    listen(onMessage) {
      channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => onMessage(data);
    },
  };
}
