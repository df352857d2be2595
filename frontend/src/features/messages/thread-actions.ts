import type { UserRef } from '../../api/types.js';
import type { MenuEntries, ReturnFocusTo } from '../../components/menu/menu-entry.js';

/** What the page that shows a conversation lets the viewer do, beyond messages (PEOPLE-40). */
export interface ThreadActions {
  /** What the viewer can do about the person they write with. */
  personEntries: (user: UserRef) => MenuEntries;
  unblock: (user: UserRef) => void;
  /** Whether an unblock is on its way. */
  unblocking: boolean;
  /** Reports a message; the same function at each render, since thousands of messages have it. */
  onReport: (messageId: string, returnFocusTo: ReturnFocusTo) => void;
}
