import type { Me, Session } from '../../api/types.js';
import { withKnownFigures } from './known-figures.js';
import { backoffDelay, isExpired, proactiveDelay } from './refresh-schedule.js';
import type { SessionChannel } from './session-channel.js';

/** `none`: there was no session; `ended`: the server ended it. */
export type SignOutReason = 'none' | 'logout' | 'ended';

/**
 * `booting`: not yet known whether there is a session; `unreachable`: the first refresh failed, and `answered` is the
 * status (429, 5xx) if the server answered.
 */
export type SessionState =
  | { status: 'booting' }
  | { status: 'unreachable'; answered?: number }
  | { status: 'signed-out'; reason: SignOutReason }
  | { status: 'signed-in'; user: Me };

/** The outcome of a refresh. `ended` is a 401 or 403: there is no session to continue. */
export type RefreshOutcome =
  | { kind: 'session'; session: Session }
  | { kind: 'ended' }
  | { kind: 'no-answer'; answered?: number };

interface Dependencies {
  /** POST /api/auth/refresh. */
  refresh: () => Promise<RefreshOutcome>;
  /** POST /api/auth/logout; throws if the server did not end the session. */
  logout: () => Promise<void>;
  channel: SessionChannel;
  now?: () => number;
}

interface Token {
  value: string;
  expiresAt: number;
}

/**
 * Holds the access token, in memory only, and refreshes it: at boot, 5 minutes before its end, on demand when it has
 * expired, and with backoff while the network is down; one refresh at a time across all tabs (ACCT-23).
 */
export class SessionStore {
  private state: SessionState = { status: 'booting' };
  private token: Token | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private inFlight: Promise<void> | undefined;
  /** Incremented by every sign-in and sign-out, so that a refresh in flight cannot undo them. */
  private generation = 0;
  private leaving = false;
  /** The same in another tab. */
  private othersLeave = false;
  private readonly listeners = new Set<() => void>();
  private readonly now: () => number;

  constructor(private readonly dependencies: Dependencies) {
    this.now = dependencies.now ?? Date.now;
    dependencies.channel.listen((message) => {
      if (message.type === 'signed-out') this.end(message.reason);
      else if (message.type === 'leaving') this.othersLeave = message.leaving;
      else this.follow(message.session, message.expiresAt);
    });
  }

  readonly getState = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Restores the session from the refresh cookie. Skipped when no session is expected. */
  async boot(expected = true): Promise<void> {
    if (expected) await this.refresh();
    else this.end('none');
  }

  /** A valid access token, refreshed first if expired; undefined for visitors. */
  async accessToken(): Promise<string | undefined> {
    if (this.state.status === 'booting') await this.refresh();
    if (this.token && isExpired(this.token.expiresAt, this.now())) await this.refresh();
    return this.token?.value;
  }

  /** For a token that the gateway refused: refreshes it, unless that has happened already. Undefined when signed out. */
  async replace(used: string): Promise<string | undefined> {
    if (this.token?.value === used) await this.refresh();
    return this.token?.value === used ? undefined : this.token?.value;
  }

  /** Starts the session of a login or sign-up, here and in the other tabs. */
  signIn(session: Session): void {
    this.generation += 1;
    const expiresAt = this.now() + session.expiresIn * 1000;
    this.accept(session, expiresAt);
    this.dependencies.channel.send({ type: 'session', session, expiresAt });
  }

  /**
   * Ends the session on the server, then here and in the other tabs. These know before: the server may tell them that the session
   * has ended before they hear of the log-out (UI-3). `end` ends it by something else than a log-out.
   * @throws what `end` throws; then the session continues, since its cookie is still valid.
   */
  async signOut(end: () => Promise<unknown> = this.dependencies.logout): Promise<void> {
    this.setLeaving(true);
    try {
      await end();
      this.forget('logout');
    } finally {
      this.setLeaving(false);
    }
  }

  /** While a log-out waits for its answer: the server may refuse the token already. */
  get isLeaving(): boolean {
    return this.leaving || this.othersLeave;
  }

  /** For a session that the server ended (user-disabled, user-token-expired). */
  forceSignOut(): void {
    if (this.state.status === 'signed-in') this.forget('ended');
  }

  updateUser(user: Me): void {
    if (this.state.status === 'signed-in') this.setState({ status: 'signed-in', user });
  }

  /** The network is back: refresh without waiting for the backoff. */
  readonly retryNow = (): void => {
    if (this.failures > 0) void this.refresh();
  };

  private refresh(): Promise<void> {
    this.inFlight ??= this.refreshOnce().finally(() => {
      this.inFlight = undefined;
    });
    return this.inFlight;
  }

  private async refreshOnce(): Promise<void> {
    const { channel } = this.dependencies;
    const generation = this.generation;
    const before = this.token?.value;
    await channel.exclusively(async () => {
      // Another tab may have refreshed while this one waited for the lock.
      const current = this.token;
      if (current && current.value !== before && !isExpired(current.expiresAt, this.now())) return;
      const outcome = await this.dependencies.refresh();
      if (generation !== this.generation) return;
      if (outcome.kind === 'no-answer') return this.retryLater(outcome.answered);
      if (outcome.kind === 'ended') return this.forget(this.state.status === 'signed-in' ? 'ended' : 'none');
      const expiresAt = this.now() + outcome.session.expiresIn * 1000;
      this.accept(outcome.session, expiresAt);
      channel.send({ type: 'session', session: outcome.session, expiresAt });
    });
  }

  /** Another tab has signed in or refreshed: what a refresh under way here is answered is about an older token (ACCT-38). */
  private follow(session: Session, expiresAt: number): void {
    this.generation += 1;
    this.othersLeave = false;
    this.accept(session, expiresAt);
  }

  private accept(session: Session, expiresAt: number): void {
    this.token = { value: session.accessToken, expiresAt };
    this.failures = 0;
    this.schedule(proactiveDelay(expiresAt - this.now()));
    const known = this.state.status === 'signed-in' ? this.state.user : undefined;
    this.setState({ status: 'signed-in', user: withKnownFigures(session.user, known) });
  }

  private retryLater(answered: number | undefined): void {
    this.failures += 1;
    this.schedule(backoffDelay(this.failures));
    const { status } = this.state;
    if (status === 'booting' || status === 'unreachable') this.setState({ status: 'unreachable', answered });
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), delay);
  }

  private setLeaving(leaving: boolean): void {
    this.leaving = leaving;
    this.dependencies.channel.send({ type: 'leaving', leaving });
  }

  /** What ends while somebody logs out was ended by that. */
  private forget(told: SignOutReason): void {
    const reason = told === 'ended' && this.isLeaving ? 'logout' : told;
    if (reason !== 'none') this.dependencies.channel.send({ type: 'signed-out', reason });
    this.end(reason);
  }

  private end(reason: SignOutReason): void {
    this.generation += 1;
    this.othersLeave = false;
    this.token = undefined;
    this.failures = 0;
    clearTimeout(this.timer);
    this.setState({ status: 'signed-out', reason });
  }

  private setState(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
