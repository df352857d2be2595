import type { ImportedPost } from '../../../api/types.js';
import { hasCode } from '../../../server/http/api-error.js';
import type { ApiError } from '../../../server/http/api-error.js';
import { importPosts } from '../api/import-calls.js';
import type { Reason } from './left-out.js';
import type { OpenedArchive } from './read-archive.js';
import type { SourcePost } from './read-document.js';
import { FileLeftOut, sendFilm, sendImage } from './send-file.js';
import { isOfRows, isOverLimit, RowSender } from './send-rows.js';
import { filesOf } from './tally.js';

interface PostSending {
  archive: OpenedArchive;
  /** The new ids of files whose post is not there yet, by those in the archive. */
  uploaded: Map<string, string>;
  signal: AbortSignal;
  patiently: <Result>(call: () => Promise<Result>) => Promise<Result>;
  leaveOut: (reason: Reason, error?: unknown) => void;
  /** Bytes of the file on its way. */
  onSent: (bytes: number) => void;
  onFile: (id: string) => void;
  onPost: (post: SourcePost) => void;
}

interface Prepared {
  post: SourcePost;
  body: ImportedPost;
}

/** Sends posts, each with its files before it. */
export class PostSender {
  /** Files that cannot be had or are not taken. */
  private readonly left = new Set<string>();
  private readonly absentIds = new Set<string>();
  private readonly rows = new RowSender<Prepared>({
    field: 'posts',
    send: (rows) => this.post(rows),
    onSent: (rows) => {
      for (const { post } of rows) this.sending.onPost(post);
    },
    onRefused: ({ post }, error) => this.sendWithoutFiles(post, error),
  });

  constructor(private readonly sending: PostSending) {}

  /** Of the posts that were to be sent and are not there now, in the source. */
  get absent(): ReadonlySet<string> {
    return this.absentIds;
  }

  async send(posts: readonly SourcePost[]): Promise<void> {
    const { overLimit } = this.rows;
    if (overLimit) for (const post of posts) this.leave(post, 'overLimit', overLimit);
    else await this.rows.send(await this.prepareAll(posts));
  }

  private leave(post: SourcePost, reason: Reason, error?: unknown): void {
    this.sending.leaveOut(reason, error);
    this.sending.onPost(post);
    this.absentIds.add(post.sourceId);
  }

  /** A file may have been given up by the server since it was sent: then it is sent once more, and at last left out. */
  private async sendWithoutFiles(post: SourcePost, error: ApiError): Promise<void> {
    let refusal: unknown = error;
    for (const isLast of [false, true]) {
      if (!hasCode(refusal, 'media-not-attachable')) break;
      for (const id of filesOf(post)) {
        this.sending.uploaded.delete(id);
        if (isLast && !this.left.has(id)) this.leaveFile(id, 'refusedFiles', refusal);
      }
      const prepared = await this.prepareAll([post]);
      if (prepared.length === 0) return;
      try {
        await this.post(prepared);
        this.sending.onPost(post);
        return;
      } catch (failure) {
        refusal = failure;
      }
    }
    if (!isOfRows(refusal)) throw refusal;
    this.leave(post, isOverLimit(refusal) ? 'overLimit' : 'refusedPosts', refusal);
  }

  private async post(rows: readonly Prepared[]): Promise<void> {
    const { patiently, signal } = this.sending;
    await patiently(() =>
      importPosts(
        rows.map(({ body }) => body),
        signal,
      ),
    );
    for (const { post } of rows) for (const id of filesOf(post)) this.sending.uploaded.delete(id);
  }

  private async prepareAll(posts: readonly SourcePost[]): Promise<Prepared[]> {
    const prepared: Prepared[] = [];
    for (const post of posts) {
      const body = await this.prepare(post);
      if (body) prepared.push({ post, body });
      else this.leave(post, 'emptyPosts');
    }
    return prepared;
  }

  /** Undefined: without its files nothing is left of the post. */
  private async prepare(post: SourcePost): Promise<ImportedPost | undefined> {
    const { sourceId, content, visibility, editedAt, videoId, videoLink } = post;
    const images: { id: string; alt: string; caption: string }[] = [];
    for (const { id, alt, caption } of post.images) {
      const sent = await this.file(id, 'image');
      if (sent !== undefined) images.push({ id: sent, alt, caption });
    }
    const film = videoId === undefined ? undefined : await this.file(videoId, 'video');
    if (content === '' && images.length === 0 && film === undefined && videoLink === undefined)
      return undefined;
    return {
      ...{ sourceId, content, visibility, images },
      video: film === undefined ? linkOf(videoLink) : { type: 'upload', id: film },
      ...(editedAt !== undefined && { editedAt }),
    };
  }

  private async file(id: string, kind: 'image' | 'video'): Promise<string | undefined> {
    const { archive, signal, patiently, onSent, onFile } = this.sending;
    const known = this.sending.uploaded.get(id);
    // What the archive lacks is known from the beginning.
    if (archive.sizeOf(id) === undefined) return undefined;
    if (known !== undefined || this.left.has(id)) return known;
    try {
      const sending = { archive, id, signal, patiently };
      const sent = kind === 'image' ? await sendImage(sending, 'post') : await sendFilm(sending, onSent);
      this.sending.uploaded.set(id, sent);
      onFile(id);
      return sent;
    } catch (error) {
      if (!(error instanceof FileLeftOut)) throw error;
      this.leaveFile(id, error.reason, error.cause);
      return undefined;
    }
  }

  private leaveFile(id: string, reason: Reason, error: unknown): void {
    this.left.add(id);
    this.sending.leaveOut(reason, error);
    this.sending.onFile(id);
  }
}

const linkOf = (url: string | undefined): ImportedPost['video'] =>
  url === undefined ? null : { type: 'url', url };
