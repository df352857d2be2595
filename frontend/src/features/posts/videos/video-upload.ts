import { SessionOverError } from '../../../server/http/api-error.js';
import { newKey } from '../../../server/http/idempotency.js';
import { untilSent } from '../../../server/videos/retry-upload.js';
import { deleteUpload, sendVideo } from '../../../server/videos/send-video.js';
import { may } from './upload-states.js';
import type { UploadState } from './upload-states.js';

interface UploadView {
  state: UploadState;
  /** Bytes that were sent; fewer again after a cut, when the server says what it has. */
  sent: number;
  /** Why it is in `error`. */
  failure?: unknown;
  /** Where the server takes its bytes, once it does. */
  address?: string;
  /** The video's, once the server has all of it. */
  id?: string;
}

/** A video on its way to the server (MEDIA-10). It goes on until it is there, paused, cancelled or ended, whatever is on the page. */
export class VideoUpload {
  readonly key = newKey();
  private view: UploadView;
  private accepted = 0;
  private under = new AbortController();
  private readonly listeners = new Set<() => void>();

  /** @param address of an earlier upload of the same file, which goes on */
  constructor(
    readonly file: File,
    address?: string,
  ) {
    this.view = { state: 'running', sent: 0, address };
    void this.run();
  }

  readonly getView = (): UploadView => this.view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** 0 to 100, rounded down. */
  get percent(): number {
    return this.view.state === 'success'
      ? 100
      : Math.floor((100 * this.view.sent) / Math.max(1, this.file.size));
  }

  pause(): void {
    if (!may('pause', this.view.state)) return;
    this.show({ state: 'pausing' });
    this.under.abort();
  }

  /** Also a new try after an error. */
  resume(): void {
    if (!may('resume', this.view.state) && !may('retry', this.view.state)) return;
    this.under.abort();
    void this.run();
  }

  /** Ends it and deletes what the server has of it. Resolves when that is done, or has failed for good: then it expires (MEDIA-14). */
  async cancel(): Promise<void> {
    if (!may('cancel', this.view.state) && !may('remove', this.view.state)) return;
    this.show({ state: 'canceling' });
    this.under.abort();
    const { address } = this.view;
    const { signal } = (this.under = new AbortController());
    try {
      if (address !== undefined)
        await untilSent({ send: () => deleteUpload(address), accepted: () => 0, signal });
    } finally {
      if (!signal.aborted) this.show({ state: 'canceled' });
    }
  }

  /** Nothing goes on, and the server keeps what it has: the session has ended. */
  end(): void {
    this.under.abort();
    this.show({ state: 'error', failure: new SessionOverError('session over') });
    this.listeners.clear();
  }

  private async run(): Promise<void> {
    const { signal } = (this.under = new AbortController());
    this.show({ state: 'running', failure: undefined });
    const isOver = () => signal.aborted;
    const unlessOver = (change: Partial<UploadView>) => {
      if (!isOver()) this.show(change);
    };
    const send = () =>
      sendVideo({
        ...{ file: this.file, key: this.key, signal, address: () => this.view.address },
        onProgress: (sent) => unlessOver({ sent }),
        onAccepted: (bytes) => (this.accepted = bytes),
        onAddress: (address) => unlessOver({ address }),
      });
    try {
      const id = await untilSent({ send, accepted: () => this.accepted, signal });
      unlessOver({ state: 'success', sent: this.file.size, id });
    } catch (failure) {
      if (!isOver()) this.show({ state: 'error', failure });
      else if (this.under.signal === signal && this.view.state === 'pausing') this.show({ state: 'paused' });
    }
  }

  private show(change: Partial<UploadView>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.listeners) listener();
  }
}
