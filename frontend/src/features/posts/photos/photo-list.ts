import { LIMITS } from '../../../api/limits.js';
import { hasCode, isNotFound, NetworkError, SessionOverError } from '../../../server/http/api-error.js';
import type { Image } from '../../../api/types.js';
import { prepareImage } from '../../../server/images/prepare-image.js';
import type { PreparedImage } from '../../../server/images/prepare-image.js';
import { limitConcurrency } from '../../../server/images/limit-concurrency.js';
import { deleteImage, getImage, uploadImage } from '../../../server/images/upload-image.js';
import { session, viewerId } from '../../../server/session/session.js';
import { codePoints } from '../../../validation/text.js';
import type { DraftImage } from '../post-fields.js';
import { chooseFiles } from './choose-files.js';
import type { ChoiceProblem } from './choose-files.js';

/** A photo of a text that is being written. Only one that is `ready` is on the server, under `id`. */
export interface Photo extends Omit<DraftImage, 'id'> {
  /** The same from the choice on, and for no other photo. */
  key: string;
  id?: string;
  /** `gone`: the server does not have it any more. */
  status: 'processing' | 'uploading' | 'ready' | 'failed' | 'gone';
  /** Its position in the last choice of files, from 1; undefined for what was there before. */
  chosenAs?: number;
  /** Why it failed. */
  failure?: unknown;
  /** The address of the picture, once there is one. */
  preview?: string;
}

interface PhotoWork {
  file: File;
  prepared?: PreparedImage;
  leaving: AbortController;
}

export interface PhotoListOptions {
  /** What is there already, in order. */
  images: readonly DraftImage[];
  /** The post that is edited has these: taking one out is for the server to do, once the edit is saved (POST-5). */
  ofPost?: readonly Image[];
  /** The photos that are on the server, whenever they or their texts change, in their order. */
  onChange: (images: DraftImage[]) => void;
  /** Whether something is under way that would be lost with the page. */
  onBusy?: (busy: boolean) => void;
  /** The use of the storage has changed. */
  onStored: () => void;
  /** So many photos of the draft were not there any more, and are left out. */
  onExpired: (count: number) => void;
  /** A removed upload could not be deleted: it is deleted after a day. */
  onNotFreed: () => void;
}

interface Shown {
  photos: readonly Photo[];
  problems: readonly ChoiceProblem[];
}

/** Whether one of its texts has more characters than the server takes. */
export const hasTooLongText = ({ alt, caption }: Pick<Photo, 'alt' | 'caption'>): boolean =>
  codePoints(alt) > LIMITS.altLength || codePoints(caption) > LIMITS.captionLength;

/** An account has two uploads at once (LIMIT-10), whatever it writes at the moment. */
const twoAtOnce = limitConcurrency(2);
let lastKey = 0;

/**
 * The photos of one text: compresses and uploads what is chosen at once, in order, and knows what may be published (UI-18). Ends
 * with its page: `leave` cancels what is under way.
 */
export class PhotoList {
  private shown: Shown;
  private readonly listeners = new Set<() => void>();
  private readonly work = new Map<string, PhotoWork>();
  private readonly objectUrls = new Map<string, string>();
  private readonly ofPost: ReadonlyMap<string, Image>;
  private left = false;
  private leaving: ReturnType<typeof setTimeout> | undefined;
  private readonly owner = viewerId();
  private readonly leaveSession = session.subscribe(() => this.onSession());
  private wasBusy = false;
  private picker: (() => void) | undefined;

  constructor(private readonly options: PhotoListOptions) {
    this.ofPost = new Map(options.ofPost?.map((image) => [image.id, image]));
    const photos = options.images.map((image): Photo => ({
      ...image,
      key: image.id,
      status: 'ready',
      preview: this.ofPost.get(image.id)?.thumbnail,
    }));
    this.shown = { photos, problems: [] };
    void this.findAddresses(photos.filter(({ preview }) => preview === undefined));
    window.addEventListener('online', this.retryLost);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getShown = (): Shown => this.shown;

  /** Whether everything that is shown can be published. */
  readonly isReady = (): boolean =>
    this.shown.photos.every((photo) => photo.status === 'ready' && !hasTooLongText(photo));

  readonly count = (): number => this.shown.photos.length;

  /** Opens the system's choice of files, while the panel is there. */
  readonly pick = (): void => this.picker?.();

  /** Tells how to open it; to be ended with what opens it. */
  pickBy(picker: () => void): () => void {
    this.picker = picker;
    return () => (this.picker = undefined);
  }

  /** Takes the good ones of the chosen files; what is wrong with the others is in `problems`. */
  choose(files: readonly File[]): void {
    const { taken, problems } = chooseFiles(files, this.count());
    const added = taken.map((file): Photo => {
      const key = `chosen-${++lastKey}`;
      this.work.set(key, { file, leaving: new AbortController() });
      return {
        key,
        chosenAs: files.indexOf(file) + 1,
        status: 'processing',
        alt: '',
        caption: '',
        width: 0,
        height: 0,
      };
    });
    const present = this.shown.photos.map((photo) => ({ ...photo, chosenAs: undefined }));
    this.show({ photos: [...present, ...added], problems });
    for (const { key } of added) void this.send(key);
  }

  /** Takes a photo out. An upload of this text is deleted, so that its storage is free again. */
  remove(key: string): void {
    const photo = this.find(key);
    if (!photo) return;
    this.drop([key]);
    this.changed();
    if (photo.id !== undefined && photo.status !== 'gone') void this.free(photo.id);
  }

  move(key: string, to: number): void {
    const photo = this.find(key);
    if (!photo) return;
    const photos = this.shown.photos.filter((other) => other !== photo);
    photos.splice(to, 0, photo);
    this.show({ photos });
    this.changed();
  }

  describe(key: string, texts: Partial<Pick<Photo, 'alt' | 'caption'>>): void {
    this.change(key, texts);
    this.changed();
  }

  retry(key: string): void {
    this.change(key, { status: 'processing', failure: undefined });
    void this.send(key);
  }

  /** An address may have expired: asks for another one, once. */
  readonly renew = (key: string): Promise<void> => {
    const photo = this.find(key);
    return photo?.id === undefined ? Promise.resolve() : this.findAddresses([photo]);
  };

  /** The text was published: what is not in its draft any more is not to be shown. */
  keepOnly(images: readonly DraftImage[]): void {
    const ids = new Set(images.map(({ id }) => id));
    const done = this.shown.photos.filter(({ id }) => id !== undefined && !ids.has(id));
    if (done.length > 0) this.drop(done.map(({ key }) => key));
  }

  /**
   * After `media-not-attachable`: marks what the server does not have. Where it has them all, another post has one of them, and
   * which is not told: all that are new here are marked.
   */
  async findGone(): Promise<void> {
    const sent = this.shown.photos.filter(({ id }) => id !== undefined && !this.ofPost.has(id));
    const found = await Promise.all(sent.map(async (photo) => ({ photo, is: await whatIsOf(photo.id!) })));
    const missing = found.filter(({ is }) => is === 'missing');
    const gone = missing.length > 0 || found.some(({ is }) => is === 'unknown') ? missing : found;
    for (const { photo } of gone) this.change(photo.key, { status: 'gone' });
  }

  /** Until the end that is returned. Not at once: while developing, React ends each effect and begins it again. */
  stay(): () => void {
    clearTimeout(this.leaving);
    return () => (this.leaving = setTimeout(() => this.leave()));
  }

  /** The page is left: nothing goes on, and what was only here is forgotten. */
  private leave(): void {
    this.left = true;
    window.removeEventListener('online', this.retryLost);
    this.leaveSession();
    this.drop(this.shown.photos.map(({ key }) => key));
  }

  /** With the session ends what it was doing; what is on the server stays in the draft (UI-41). */
  private onSession(): void {
    if (viewerId() !== this.owner && this.work.size > 0) this.drop([...this.work.keys()]);
  }

  private find = (key: string): Photo | undefined => this.shown.photos.find((photo) => photo.key === key);

  private async send(key: string): Promise<void> {
    const work = this.work.get(key);
    if (!work) return;
    const { signal } = work.leaving;
    try {
      work.prepared ??= await prepareImage(work.file, signal);
      const { blob, width, height } = work.prepared;
      this.change(key, { status: 'uploading', width, height, preview: this.objectUrl(key, blob) });
      const image = await twoAtOnce(() => {
        signal.throwIfAborted();
        return uploadImage(work.prepared!, 'post', signal);
      });
      if (signal.aborted) return void this.free(image.id);
      this.work.delete(key);
      this.change(key, { status: 'ready', id: image.id, ...image.metadata.dimensions });
      this.changed();
      this.options.onStored();
    } catch (failure) {
      if (!signal.aborted) this.change(key, { status: 'failed', failure });
    }
  }

  /** What failed for want of a network goes on when it is back (UI-53). */
  private readonly retryLost = (): void => {
    for (const { key, status, failure } of this.shown.photos)
      if (status === 'failed' && failure instanceof NetworkError) this.retry(key);
  };

  private async findAddresses(photos: readonly Photo[]): Promise<void> {
    let expired = 0;
    await Promise.all(
      photos.map(async ({ key, id }) => {
        try {
          const { thumbnail } = await getImage(id!);
          this.change(key, { preview: thumbnail });
        } catch (error) {
          // Without its picture it can be published all the same.
          if (!isNotFound(error) || !this.find(key)) return;
          this.drop([key]);
          expired += 1;
        }
      }),
    );
    if (expired === 0 || this.left) return;
    this.changed();
    this.options.onExpired(expired);
  }

  private async free(id: string): Promise<void> {
    if (!this.ofPost.has(id)) await freeUploads([id], this.options);
  }

  private objectUrl(key: string, blob: Blob): string {
    const url = this.objectUrls.get(key) ?? URL.createObjectURL(blob);
    this.objectUrls.set(key, url);
    return url;
  }

  private drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.work.get(key)?.leaving.abort();
      this.work.delete(key);
      const url = this.objectUrls.get(key);
      if (url !== undefined) URL.revokeObjectURL(url);
      this.objectUrls.delete(key);
    }
    this.show({ photos: this.shown.photos.filter(({ key }) => !keys.includes(key)), problems: [] });
  }

  private change(key: string, change: Partial<Photo>): void {
    this.show({
      photos: this.shown.photos.map((photo) => (photo.key === key ? { ...photo, ...change } : photo)),
    });
  }

  private show(next: Partial<Shown>): void {
    this.shown = { ...this.shown, ...next };
    const busy = this.shown.photos.some(({ id }) => id === undefined);
    if (busy !== this.wasBusy) this.options.onBusy?.((this.wasBusy = busy));
    for (const listener of this.listeners) listener();
  }

  private changed(): void {
    const { photos } = this.shown;
    const images = photos.flatMap(({ id, alt, caption, width, height }) =>
      id === undefined ? [] : [{ id, alt, caption, width, height }],
    );
    this.options.onChange(images);
  }
}

/** Deletes uploads that no post has, so that their storage is free again (MEDIA-14). */
export async function freeUploads(
  ids: readonly string[],
  { onStored, onNotFreed }: Pick<PhotoListOptions, 'onStored' | 'onNotFreed'>,
): Promise<void> {
  const outcomes = await Promise.allSettled(ids.map(deleteImage));
  // Gone already, of a post that another tab has published, or nobody's any more.
  const isNoFailure = (error: unknown) =>
    isNotFound(error) || hasCode(error, 'media-attached') || error instanceof SessionOverError;
  if (outcomes.some((one) => one.status === 'rejected' && !isNoFailure(one.reason))) onNotFreed();
  onStored();
}

/** Whether the server has an upload; `unknown` where it does not answer. */
async function whatIsOf(id: string): Promise<'there' | 'missing' | 'unknown'> {
  try {
    await getImage(id);
    return 'there';
  } catch (error) {
    return isNotFound(error) ? 'missing' : 'unknown';
  }
}
