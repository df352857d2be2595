import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { ApiError, SessionOverError } from '../../../server/http/api-error.js';
import { session } from '../../../server/session/session.js';
import { beginImport, getPending, importComments } from '../api/import-calls.js';
import { batchesOfComments, batchesOfIds, batchesOfPosts } from './batches.js';
import { leaveOut } from './left-out.js';
import type { LeftOut, Reason } from './left-out.js';
import { patiently } from './patiently.js';
import type { Waiting } from './patiently.js';
import { PostSender } from './post-sender.js';
import type { OpenedArchive } from './read-archive.js';
import type { SourceComment, SourcePost } from './read-document.js';
import { FileLeftOut, sendImage } from './send-file.js';
import { isOfRows, isOverLimit, reasonOf, RowSender } from './send-rows.js';
import { missingFiles, Tally } from './tally.js';
import type { Progress } from './tally.js';

/** What of the archive's profile the account takes. */
export interface ProfileChoice {
  name?: string;
  bio?: string;
  isCoach?: boolean;
  specialties?: string[];
  /** Of its file in the archive. */
  pictureId?: string;
}

export interface ImportView extends Progress {
  /** `stopped` by the user; `failed` for `failure`. Both can go on. */
  phase: 'running' | 'stopped' | 'failed' | 'done';
  waiting?: Waiting;
  failure?: unknown;
  leftOut: LeftOut;
  /** Why the server has refused something, in its words; each once, the first few. */
  reasons: readonly string[];
}

const MOST_REASONS = 5;
/** What an account takes of imports (LIMIT-21). Of more, the newest. */
const MOST = { posts: 10_000, comments: 50_000 } as const;

interface Rows {
  posts: readonly SourcePost[];
  comments: readonly SourceComment[];
}

const idsOf = (posts: readonly SourcePost[]): ReadonlySet<string> =>
  new Set(posts.map(({ sourceId }) => sourceId));

/**
 * An import of an archive into the viewer's account (ACCT-46). It goes on until it is done, stopped or the session ends, whatever is
 * on the page. All of it can be repeated: what is there already is not sent again.
 */
export class ImportRun {
  private view: ImportView;
  private tally: Tally;
  private under = new AbortController();
  private profileIsTaken = false;
  private isCoach: boolean;
  /** Files on the server whose post is not there yet: their new ids, by those in the archive. */
  private readonly uploaded = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly archive: OpenedArchive,
    private readonly profile: ProfileChoice,
    { isCoach }: Pick<Me, 'isCoach'>,
  ) {
    this.isCoach = isCoach;
    const { posts, comments } = archive.source;
    this.tally = new Tally(archive, posts, comments);
    this.view = { phase: 'running', leftOut: {}, reasons: [], ...this.tally.progress };
  }

  readonly getView = (): ImportView => this.view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Begins, or goes on where it was stopped or has failed. Resolves when it does nothing more. */
  async start(): Promise<void> {
    const { signal } = (this.under = new AbortController());
    const leftOut = { ...this.archive.source.leftOut };
    this.show({ phase: 'running', failure: undefined, waiting: undefined, leftOut, reasons: [] });
    try {
      await this.run(signal);
      if (!signal.aborted) this.show({ phase: 'done' });
    } catch (failure) {
      // Stopped, and perhaps begun anew since.
      if (!signal.aborted) this.show({ phase: 'failed', waiting: undefined, failure });
    }
  }

  /** What is there stays. */
  stop(): void {
    if (this.view.phase !== 'running') return;
    this.under.abort();
    this.show({ phase: 'stopped', waiting: undefined });
  }

  /** With the session. Nothing is told any more: the next viewer of this tab is another one. */
  end(): void {
    this.under.abort();
    this.show({ phase: 'failed', waiting: undefined, failure: new SessionOverError('session over') });
    this.listeners.clear();
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { source } = this.archive;
    await this.patiently(signal, () => beginImport(source.userId, signal));
    await this.takeProfile(signal);
    const taken = source.posts.filter(({ visibility }) => this.isCoach || visibility === 'public');
    this.leaveOut('forSubscribers', undefined, source.posts.length - taken.length);
    const posts = taken.slice(-MOST.posts);
    const own = idsOf(posts);
    const onOwn = source.comments.filter(({ postSourceId }) => own.has(postSourceId));
    const comments = onOwn.slice(-MOST.comments);
    this.leaveOut('overLimit', undefined, taken.length - posts.length);
    this.leaveOut('commentsOverLimit', undefined, onOwn.length - comments.length);
    this.leaveOut('commentsElsewhere', undefined, source.comments.length - onOwn.length);
    this.leaveOut('missingFiles', undefined, missingFiles(posts, this.archive));

    const pending = await this.pendingOf({ posts, comments }, signal);
    this.tally = new Tally(this.archive, posts, comments, pending);
    this.show(this.tally.progress);
    const absent = await this.sendPosts(pending.posts, signal);
    const waiting = pending.comments.filter(({ postSourceId }) => !absent.has(postSourceId));
    this.leaveOut('commentsElsewhere', undefined, pending.comments.length - waiting.length);
    this.commentsAreDone(pending.comments.length - waiting.length);
    await this.sendComments(waiting, signal);
  }

  private async takeProfile(signal: AbortSignal): Promise<void> {
    if (this.profileIsTaken) return;
    const { pictureId, ...fields } = this.profile;
    const profileImageId = pictureId && (await this.sendPicture(pictureId, signal));
    const body = { ...fields, ...(profileImageId !== undefined && { profileImageId }) };
    if (Object.keys(body).length > 0) {
      try {
        const me = await this.patiently(signal, () => unwrap(client.PATCH('/api/me', { body, signal })));
        this.isCoach = me.isCoach;
        session.updateUser(me);
      } catch (error) {
        if (!isOfRows(error)) throw error;
        this.leaveOut('refusedProfile', error);
      }
    }
    this.profileIsTaken = true;
  }

  private async sendPicture(id: string, signal: AbortSignal): Promise<string | undefined> {
    const patient = <Result>(call: () => Promise<Result>) => this.patiently(signal, call);
    try {
      return await sendImage({ archive: this.archive, id, signal, patiently: patient }, 'avatar');
    } catch (error) {
      if (!(error instanceof FileLeftOut)) throw error;
      this.leaveOut(error.reason, error.cause);
      return undefined;
    }
  }

  /** What is not there yet. */
  private async pendingOf({ posts, comments }: Rows, signal: AbortSignal): Promise<Rows> {
    const pending = new Set<string>();
    for (const ids of batchesOfIds({ posts, comments })) {
      const found = await this.patiently(signal, () => getPending(ids, signal));
      for (const id of [...found.posts, ...found.comments]) pending.add(id);
    }
    const isPending = ({ sourceId }: { sourceId: string }) => pending.has(sourceId);
    return { posts: posts.filter(isPending), comments: comments.filter(isPending) };
  }

  /** @returns the ids of the posts that are not there afterwards */
  private async sendPosts(posts: readonly SourcePost[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { tally } = this;
    const told = (change: () => void) => {
      change();
      if (!signal.aborted) this.show(tally.progress);
    };
    const sender = new PostSender({
      ...{ archive: this.archive, uploaded: this.uploaded, signal },
      patiently: (call) => this.patiently(signal, call),
      leaveOut: (reason, error) => this.leaveOut(reason, error),
      onSent: (bytes) => told(() => tally.isSent(bytes)),
      onFile: (id) => told(() => tally.fileIsDone(id)),
      onPost: (post) => told(() => tally.postIsDone(post)),
    });
    for (const batch of batchesOfPosts(posts)) await sender.send(batch);
    return sender.absent;
  }

  private async sendComments(comments: readonly SourceComment[], signal: AbortSignal): Promise<void> {
    const sender = new RowSender<SourceComment>({
      field: 'comments',
      send: (rows) => this.patiently(signal, () => importComments([...rows], signal)),
      onSent: (rows) => this.commentsAreDone(rows.length),
      onRefused: (_comment, error) => {
        this.leaveOut(isOverLimit(error) ? 'commentsOverLimit' : 'refusedComments', error);
        this.commentsAreDone(1);
      },
    });
    for (const batch of batchesOfComments(comments)) await sender.send(batch);
  }

  private commentsAreDone(n: number): void {
    this.tally.commentsAreDone(n);
    this.show(this.tally.progress);
  }

  private patiently<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    return patiently(call, signal, (waiting) => {
      if (waiting !== this.view.waiting && !signal.aborted) this.show({ waiting });
    });
  }

  private leaveOut(reason: Reason, error?: unknown, n = 1): void {
    const leftOut = { ...this.view.leftOut };
    leaveOut(leftOut, reason, n);
    const reasons = error instanceof ApiError ? new Set([...this.view.reasons, reasonOf(error)]) : undefined;
    this.show({ leftOut, ...(reasons && { reasons: [...reasons].slice(0, MOST_REASONS) }) });
  }

  private show(change: Partial<ImportView>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.listeners) listener();
  }
}
