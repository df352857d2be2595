import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aMe, aSession, withoutFigures } from '../../../test/a-post.js';
import type { SessionChannel, SessionMessage } from './session-channel.js';
import { SessionStore } from './session-store.js';
import type { RefreshOutcome } from './session-store.js';

const MINUTE = 60_000;
const session = (token: string): RefreshOutcome => ({ kind: 'session', session: aSession(token) });

/** The tabs of one browser: messages reach all others, one tab at a time holds the lock. */
function browser() {
  const tabs: ((message: SessionMessage) => void)[] = [];
  let lock: Promise<void> = Promise.resolve();
  const tab = (): SessionChannel => {
    let own: ((message: SessionMessage) => void) | undefined;
    return {
      exclusively(work) {
        const turn = lock.then(work);
        lock = turn.catch(() => undefined);
        return turn;
      },
      send: (message) => tabs.filter((listener) => listener !== own).forEach((listener) => listener(message)),
      listen(listener) {
        own = listener;
        tabs.push(listener);
      },
    };
  };
  return { tab };
}

function aStore(answers: RefreshOutcome[], channel = browser().tab()) {
  const refresh = jest.fn(async (): Promise<RefreshOutcome> => answers.shift() ?? { kind: 'no-answer' });
  const logout = jest.fn(async () => undefined);
  return { store: new SessionStore({ refresh, logout, channel }), refresh, logout };
}

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('at boot', () => {
  it('restores the session of the refresh cookie', async () => {
    const { store } = aStore([session('t1')]);
    await store.boot();
    expect(store.getState()).toEqual({ status: 'signed-in', user: aMe() });
    expect(await store.accessToken()).toBe('t1');
  });

  it('is signed out where there is none, without claiming that anything ended', async () => {
    const { store } = aStore([{ kind: 'ended' }]);
    await store.boot();
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'none' });
    expect(await store.accessToken()).toBeUndefined();
  });

  it('does not ask about a session that is not expected', async () => {
    const { store, refresh } = aStore([session('t1')]);
    await store.boot(false);
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'none' });
    expect(await store.accessToken()).toBeUndefined();
    expect(refresh).not.toHaveBeenCalled();
  });

  it('tells what a server in trouble answered, and asks it again', async () => {
    const { store } = aStore([{ kind: 'no-answer', answered: 429 }, { kind: 'no-answer' }, session('t1')]);
    await store.boot();
    expect(store.getState()).toEqual({ status: 'unreachable', answered: 429 });
    await jest.advanceTimersByTimeAsync(MINUTE / 2);
    expect(store.getState()).toEqual({ status: 'unreachable' });
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(store.getState().status).toBe('signed-in');
  });

  // Rule: ACCT-25
  it('makes requests wait for the answer and asks once', async () => {
    const { store, refresh } = aStore([session('t1')]);
    void store.boot();
    expect(await Promise.all([store.accessToken(), store.accessToken()])).toEqual(['t1', 't1']);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  // Rule: ACCT-23
  it('tries again after 30 s, then doubling up to 16 min, while nothing answers', async () => {
    const { store, refresh } = aStore([]);
    await store.boot();
    expect(store.getState()).toEqual({ status: 'unreachable' });
    let calls = 1;
    for (const minutes of [0.5, 1, 2, 4, 8, 16, 16]) {
      await jest.advanceTimersByTimeAsync(minutes * MINUTE - 1);
      expect(refresh).toHaveBeenCalledTimes(calls);
      await jest.advanceTimersByTimeAsync(1);
      expect(refresh).toHaveBeenCalledTimes(++calls);
    }
  });

  it('does not sit out the backoff when the network is back', async () => {
    const { store } = aStore([{ kind: 'no-answer' }, session('t1')]);
    await store.boot();
    store.retryNow();
    await jest.advanceTimersByTimeAsync(0);
    expect(store.getState().status).toBe('signed-in');
  });
});

// Rule: ACCT-23
describe('a session under way', () => {
  it('is refreshed 5 minutes before the 10-minute token ends', async () => {
    const { store, refresh } = aStore([session('t1'), session('t2')]);
    await store.boot();
    await jest.advanceTimersByTimeAsync(5 * MINUTE - 1);
    expect(refresh).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await store.accessToken()).toBe('t2');
  });

  it('treats the token as expired 30 s before its end', async () => {
    const { store, refresh } = aStore([session('t1'), { kind: 'no-answer' }, session('t2')]);
    await store.boot();
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    expect(refresh).toHaveBeenCalledTimes(2);
    // As on a sleeping laptop: the clock advances, timers do not.
    jest.setSystemTime(Date.parse('2026-11-20T10:09:29.999Z'));
    expect(await store.accessToken()).toBe('t1');
    jest.setSystemTime(Date.parse('2026-11-20T10:09:30.000Z'));
    expect(await store.accessToken()).toBe('t2');
  });

  it('outlives a network error', async () => {
    const { store } = aStore([session('t1'), { kind: 'no-answer' }]);
    await store.boot();
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    expect(store.getState().status).toBe('signed-in');
  });

  it('ends when the refresh is refused', async () => {
    const { store } = aStore([session('t1'), { kind: 'ended' }]);
    await store.boot();
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'ended' });
  });

  it('ends when the server says so', async () => {
    const { store } = aStore([session('t1')]);
    await store.boot();
    store.forceSignOut();
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'ended' });
  });

  it('replaces a refused token once for many requests', async () => {
    const { store, refresh } = aStore([session('t1'), session('t2')]);
    await store.boot();
    expect(await Promise.all([store.replace('t1'), store.replace('t1')])).toEqual(['t2', 't2']);
    expect(await store.replace('t1')).toBe('t2');
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

// Rule: HTTP-37, PEOPLE-2
describe('the figures of the user', () => {
  const stats = { posts: 3, followers: 8, following: 5, subscribers: 0, likes: 21, comments: 13 };
  const rating = { averageRating: 4.7, totalReviews: 9 };
  const storage = { quotaBytes: 1000, bytesUsed: 34 };
  const known = aMe({ stats, rating, storage });
  const told = (token: string, user = aMe({ name: 'Benjamin' })): RefreshOutcome => ({
    kind: 'session',
    session: aSession(token, { user: withoutFigures(user) }),
  });

  it('are not known after a login or a start, until they are read', async () => {
    const { store } = aStore([told('t1', aMe())]);
    await store.boot();
    expect(store.getState()).toEqual({ status: 'signed-in', user: withoutFigures(aMe()) });
    store.updateUser(known);
    expect(store.getState()).toEqual({ status: 'signed-in', user: known });
  });

  it('live through a refresh, in every tab, beside what it tells anew', async () => {
    const { tab } = browser();
    const first = aStore([told('t1'), told('t2')], tab());
    const second = aStore([], tab());
    await first.store.boot();
    for (const { store } of [first, second]) store.updateUser(known);
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    for (const { store } of [first, second]) {
      expect(await store.accessToken()).toBe('t2');
      const user = { ...known, name: 'Benjamin', storage: { ...aMe().storage, bytesUsed: 34 } };
      expect(store.getState()).toEqual({ status: 'signed-in', user });
    }
  });

  it('are those that a session tells, where it tells them', async () => {
    const { store } = aStore([told('t1'), session('t2')]);
    await store.boot();
    store.updateUser(known);
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    expect(store.getState()).toEqual({ status: 'signed-in', user: aMe() });
  });

  it('are never those of the user before', async () => {
    const { store } = aStore([told('t1')]);
    await store.boot();
    store.updateUser(known);
    const other = withoutFigures(aMe({ id: 'zoe', name: 'Zoe' }));
    store.signIn(aSession('t2', { user: other }));
    expect(store.getState()).toEqual({ status: 'signed-in', user: other });
  });
});

describe('logout', () => {
  it('ends the session once the server has', async () => {
    const { store, logout } = aStore([session('t1')]);
    await store.boot();
    await store.signOut();
    expect(logout).toHaveBeenCalledTimes(1);
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'logout' });
    expect(await store.accessToken()).toBeUndefined();
  });

  // Rule: UI-76
  it('ends the session by something else than a log-out, and goes on with it when that fails', async () => {
    const { store, logout } = aStore([session('t1')]);
    await store.boot();
    const refused = () => Promise.reject(new Error('wrong password'));
    await expect(store.signOut(refused)).rejects.toThrow('wrong password');
    expect(store.getState().status).toBe('signed-in');
    await store.signOut(() => Promise.resolve());
    expect(store.getState()).toEqual({ status: 'signed-out', reason: 'logout' });
    expect(logout).not.toHaveBeenCalled();
  });

  it('leaves the session be when the server could not be told', async () => {
    const { store, logout } = aStore([session('t1')]);
    await store.boot();
    logout.mockRejectedValueOnce(new Error('offline'));
    await expect(store.signOut()).rejects.toThrow('offline');
    expect(store.getState().status).toBe('signed-in');
  });

  it('is not undone by a refresh that was under way', async () => {
    let answer: (outcome: RefreshOutcome) => void = () => undefined;
    const refresh = () => new Promise<RefreshOutcome>((resolve) => (answer = resolve));
    const store = new SessionStore({ refresh, logout: async () => undefined, channel: browser().tab() });
    store.signIn(aSession('t1'));
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    await store.signOut();
    answer(session('t2'));
    await jest.advanceTimersByTimeAsync(0);
    expect(store.getState().status).toBe('signed-out');
    expect(await store.accessToken()).toBeUndefined();
  });
});

// Rule: ACCT-24
describe('several tabs', () => {
  it('share one refresh', async () => {
    const { tab } = browser();
    const first = aStore([session('t1'), session('t2')], tab());
    const second = aStore([session('u1')], tab());
    await first.store.boot();
    expect(await second.store.accessToken()).toBe('t1');
    await jest.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await first.store.accessToken()).toBe('t2');
    expect(await second.store.accessToken()).toBe('t2');
    expect(first.refresh.mock.calls.length + second.refresh.mock.calls.length).toBe(2);
  });

  it('sign in and out together', async () => {
    const { tab } = browser();
    const first = aStore([{ kind: 'ended' }], tab());
    const second = aStore([{ kind: 'ended' }], tab());
    await Promise.all([first.store.boot(), second.store.boot()]);
    first.store.signIn(aSession('t1'));
    expect(second.store.getState().status).toBe('signed-in');
    await second.store.signOut();
    expect(first.store.getState()).toEqual({ status: 'signed-out', reason: 'logout' });
  });

  /** Two tabs of one session: what one asks is answered by `refuse`, the log-out of the other by `end` or `fail`. */
  function twoTabs() {
    const { tab } = browser();
    let answer: (outcome: RefreshOutcome) => void = () => undefined;
    let logout: { resolve: () => void; reject: (error: Error) => void };
    const watching = new SessionStore({
      refresh: () => new Promise<RefreshOutcome>((resolve) => (answer = resolve)),
      logout: async () => undefined,
      channel: tab(),
    });
    const leaving = new SessionStore({
      refresh: async () => ({ kind: 'ended' }),
      logout: () => new Promise<void>((resolve, reject) => (logout = { resolve, reject })),
      channel: tab(),
    });
    leaving.signIn(aSession('t1'));
    const reasons: unknown[] = [];
    for (const store of [watching, leaving])
      store.subscribe(() => {
        const state = store.getState();
        if (state.status === 'signed-out') reasons.push(state.reason);
      });
    return {
      ...{ watching, leaving, reasons },
      refuse: () => answer({ kind: 'ended' }),
      end: () => logout.resolve(),
      fail: () => logout.reject(new Error('offline')),
    };
  }

  // Rule: UI-3
  it.each(['before', 'after'])(
    'log out together when the server refuses one %s it hears of it',
    async (order) => {
      const { watching, leaving, reasons, refuse, end } = twoTabs();
      const loggedOut = leaving.signOut();
      // The end of the stream of events makes it ask with the old token.
      const asked = watching.replace('t1');
      await jest.advanceTimersByTimeAsync(0);
      for (const happens of order === 'before' ? [refuse, end] : [end, refuse]) {
        happens();
        await jest.advanceTimersByTimeAsync(0);
      }
      await Promise.all([loggedOut, asked]);
      for (const store of [watching, leaving])
        expect(store.getState()).toEqual({ status: 'signed-out', reason: 'logout' });
      expect(new Set(reasons)).toEqual(new Set(['logout']));
      expect([watching.isLeaving, leaving.isLeaving]).toEqual([false, false]);
    },
  );

  // Rule: UI-3
  it('tell the end of a session as such once a log-out has failed, or its tab was closed and another has refreshed', async () => {
    for (const over of ['failed', 'closed']) {
      const { watching, leaving, refuse, fail } = twoTabs();
      const loggedOut = leaving.signOut().catch((error: Error) => error.message);
      expect(watching.isLeaving).toBe(true);
      if (over === 'failed') {
        fail();
        expect(await loggedOut).toBe('offline');
      } else leaving.signIn(aSession('t2'));
      expect(watching.isLeaving).toBe(false);
      const asked = watching.replace(over === 'failed' ? 't1' : 't2');
      await jest.advanceTimersByTimeAsync(0);
      refuse();
      await asked;
      expect(watching.getState()).toEqual({ status: 'signed-out', reason: 'ended' });
    }
  });
});

// Rule: ACCT-38
it('a refusal that comes after another tab has signed in ends the session of neither', async () => {
  const { tab } = browser();
  let answer: (outcome: RefreshOutcome) => void = () => undefined;
  const late = new Promise<RefreshOutcome>((resolve) => (answer = resolve));
  const slow = new SessionStore({ refresh: () => late, logout: async () => undefined, channel: tab() });
  const { store: other } = aStore([], tab());
  const booting = slow.boot();
  await Promise.resolve();
  other.signIn(aSession('of-another'));
  answer({ kind: 'ended' });
  await booting;
  for (const store of [slow, other]) {
    expect(store.getState().status).toBe('signed-in');
    expect(await store.accessToken()).toBe('of-another');
  }
});
