import { Injectable } from '@nestjs/common';
import { VIDEO } from '@pulso/contracts/limits';
import { currentContext, requireCaller } from '@pulso/platform/context/request-context';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { encodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import { Server } from '@tus/server';
import { EVENTS, type Locker, Metadata } from '@tus/utils';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DeleteAsset } from '../asset/delete-asset.js';
import { KnownUsers } from '../projections/known-users.js';
import { UploadRepository } from '../store/upload.repository.js';
import { BeginVideo } from './begin-video.js';
import { DiskRoom } from './disk-room.js';
import { ReceivePieces } from './receive-pieces.js';
import { TusStore } from './tus-store.js';
import { UploadLimits } from './upload-limits.js';

export const UPLOADS_PATH = '/uploads';
/** Where clients find an upload: at the gateway. */
const PUBLIC_PATH = '/api/uploads';

const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => void response.once('close', resolve));

/** Replicas are many, so a lock in memory would say nothing: the upload's row decides which of two writers goes on. */
const NO_LOCK: Locker = {
  newLock: () => ({ lock: () => Promise.resolve(), unlock: () => Promise.resolve() }),
};

/**
 * tus 1.0 for videos (MEDIA-9): creation, expiration, termination. Refusals of ours are DomainErrors, which `handle` rejects with;
 * the library answers its own.
 */
@Injectable()
export class TusUploads {
  private readonly slots = new KeyedSlots(() => ({ ...this.limits, total: this.limits.streams }));
  private readonly server: Server;

  constructor(
    private readonly users: KnownUsers,
    private readonly beginning: BeginVideo,
    private readonly disk: DiskRoom,
    private readonly limits: UploadLimits,
    uploads: UploadRepository,
    pieces: ReceivePieces,
    deleteAsset: DeleteAsset,
  ) {
    this.server = this.serverOf(new TusStore(uploads, pieces, deleteAsset));
  }

  /** Throws `not-authenticated`, `user-disabled`, `not-found`, `media-attached`, `unavailable`, and as BeginVideo and ReceivePieces. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request;
    if (method !== 'OPTIONS') requireCaller();
    if (method === 'POST' || method === 'PATCH') await this.admit();
    const release = method === 'PATCH' ? await this.takeSlot() : undefined;
    try {
      // The library waits for ever for a client that has left. The bytes that came are still stored (ReceivePieces).
      await Promise.race([this.server.handle(request, response), closed(response)]);
    } finally {
      release?.();
    }
  }

  private async admit(): Promise<void> {
    await this.users.requireActive(requireCaller().userId);
    await this.disk.require();
  }

  private takeSlot() {
    const { signal } = currentContext()!.cancellation;
    const { userId: key } = requireCaller();
    return this.slots.take([{ key, most: this.limits.streamsPerOwner }], signal);
  }

  private serverOf(datastore: TusStore): Server {
    const server = new Server({
      datastore,
      path: UPLOADS_PATH,
      locker: NO_LOCK,
      // Tells clients that ask; BeginVideo refuses larger ones, with our code and text.
      maxSize: (_request, id) => (id === null ? VIDEO.maxBytes : 0),
      onIncomingRequest: async ({ method }, id) => {
        if (method === 'HEAD') await datastore.settled(id);
      },
      generateUrl: (_request, { id }) => `${PUBLIC_PATH}/${id}`,
      onUploadCreate: async ({ headers }, upload) => {
        const { filename, filetype } = upload.metadata ?? {};
        upload.id = await this.beginning.execute({
          ...{ length: upload.size!, name: filename ?? '', type: filetype ?? '' },
          metadata: Metadata.stringify(upload.metadata ?? {}),
          key: headers.get('idempotency-key') ?? undefined,
        });
        return {};
      },
      onResponseError: (_request, error) => {
        // Those of the library have a status. Others go on to the listener, which knows and logs them.
        if (error instanceof Error && !('status_code' in error)) throw error;
        return undefined;
      },
    });
    // As an rpc tells the gateway what it wrote.
    const wrote = () => encodeTokens(currentContext()!.wrote);
    server.on(EVENTS.POST_CREATE, ({ runtime }) => void runtime?.node?.res?.setHeader(WROTE, wrote()));
    for (const ended of [EVENTS.POST_FINISH, EVENTS.POST_TERMINATE] as const)
      server.on(ended, (_request: unknown, answer: Response) => answer.headers.set(WROTE, wrote()));
    return server;
  }
}
