import type { Session } from '../../api/types.js';
import type { SignOutReason } from './session-store.js';

export type SessionMessage =
  | { type: 'session'; session: Session; expiresAt: number }
  | { type: 'signed-out'; reason: SignOutReason }
  /** A log-out waits for its answer, or has failed. */
  | { type: 'leaving'; leaving: boolean };

/** Shares a session between the tabs of a browser (ACCT-24): a lock around the refresh, and a broadcast of its outcome. */
export interface SessionChannel {
  exclusively(work: () => Promise<void>): Promise<void>;
  send(message: SessionMessage): void;
  listen(onMessage: (message: SessionMessage) => void): void;
}

const NAME = 'pulso.session';
/** How long a tab that waited for the lock waits for the holder's broadcast before it refreshes, in ms. */
const BROADCAST_GRACE = 100;

/** Web Locks and BroadcastChannel. Locks exist on secure origins only; without them each tab refreshes on its own. */
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
