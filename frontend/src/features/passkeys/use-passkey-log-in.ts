import { useEffect, useState } from 'react';
import { useSingleMutation } from '../../server/queries/use-single-mutation.js';
import { session } from '../../server/session/session.js';
import { offersPasskeys, stopAsking } from '../../shared/passkeys/authenticator.js';
import { logInByPasskey } from './api/log-in-by-passkey.js';

/** In ms: a challenge can be answered for 5 minutes (ACCT-43), and the user may take one of them. */
const RENEWED_MS = 4 * 60_000;
/** In ms, after a request without an answer, and where the browser has asked nobody. */
const RETRY_MS = 60_000;
/** In ms, after a passkey that was refused: one that answers by itself must not be refused without end. */
const AGAIN_MS = 3_000;

type Tell = (error: Error | null) => void;

/**
 * Offers passkeys under the field of the address for as long as the page is there, with a new challenge in time. `tell` gets what the
 * server refused. That nothing could be offered is told to nobody: there is the button.
 */
async function offer(stopped: AbortSignal, tell: Tell): Promise<void> {
  if (!(await offersPasskeys())) return;
  while (!stopped.aborted) {
    if (await offerOnce(stopped, tell)) return;
  }
}

/** Returns whether a session has begun. */
async function offerOnce(stopped: AbortSignal, tell: Tell): Promise<boolean> {
  let isShown = false;
  let isRenewed = false;
  const renewal = setTimeout(() => {
    isRenewed = true;
    stopAsking();
  }, RENEWED_MS);
  const onShown = () => {
    isShown = true;
    clearTimeout(renewal);
    tell(null);
  };
  try {
    const started = await logInByPasskey({ underField: true, stopped, onShown });
    if (started) {
      session.signIn(started);
      return true;
    }
  } catch (error) {
    if (isShown && !stopped.aborted) tell(error as Error);
  } finally {
    clearTimeout(renewal);
  }
  if (!isRenewed) await pause(isShown ? AGAIN_MS : RETRY_MS, stopped);
  return false;
}

const pause = (milliseconds: number, stopped: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (stopped.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    stopped.addEventListener('abort', end, { once: true });
  });

/** Signs in by a passkey: by a button, or under the field of the address where the browser can (UI-75). */
export function usePasskeyLogIn() {
  const [error, setError] = useState<Error | null>(null);
  // By the button, whose request ends the one under the field by itself; that one begins anew afterwards.
  const [isAsked, setAsked] = useState(false);

  useEffect(() => {
    if (isAsked) return;
    const stopping = new AbortController();
    void offer(stopping.signal, setError);
    return () => stopping.abort();
  }, [isAsked]);
  // A list under a field of another page would be one too many.
  useEffect(() => stopAsking, []);

  const ask = useSingleMutation({
    mutationFn: () => logInByPasskey(),
    onMutate: () => {
      setError(null);
      setAsked(true);
    },
    onSuccess: (started) => {
      if (started) session.signIn(started);
    },
    onError: (refused) => setError(refused),
    onSettled: () => setAsked(false),
  });
  return { error, isWaiting: ask.isPending, ask: () => ask.mutate() };
}
