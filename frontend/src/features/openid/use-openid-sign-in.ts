import { useEffect, useRef, useState } from 'react';
import { leaveFor } from '../../browser/leave-for.js';
import { session } from '../../server/session/session.js';

const START = '/api/auth/google/start';
/** The provider's page in a window of its own tells here how it has ended. */
const CHANNEL = 'pulso.openid';
const WINDOW = 'popup,width=480,height=680';

interface Told {
  /** The code of the problem; none where a session has begun. */
  error?: string;
}

/** The code with which a sign-in in this window has led back. */
const toldByAddress = () => new URLSearchParams(location.search).get('error') ?? undefined;

/** So that a reload does not tell it again. */
function forgetTold(): void {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  query.delete('error');
  const rest = query.size > 0 ? `?${query.toString()}` : '';
  history.replaceState(history.state, '', pathname + rest + hash);
}

/**
 * Signing in at the OpenID provider (ACCT-28), in a window of its own, or in this one where the browser opens none. A window that the
 * user closes tells nothing, and nothing waits for it: another press opens another one.
 */
export function useOpenidSignIn() {
  const [error, setError] = useState(toldByAddress);
  // Other tabs hear the end of it, too.
  const hasBegun = useRef(false);

  useEffect(() => {
    if (toldByAddress() !== undefined) forgetTold();
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.error === undefined) void session.boot();
      else if (hasBegun.current) setError(data.error);
    };
    return () => channel.close();
  }, []);

  const begin = () => {
    setError(undefined);
    hasBegun.current = true;
    const opened = window.open(`${START}?mode=popup`, '_blank', WINDOW);
    if (!opened) void leaveFor(START);
  };
  return { error, begin };
}
