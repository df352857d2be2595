import { Injectable } from '@nestjs/common';
import { VIDEO } from '@pulso/contracts/limits';
import type { Video } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { Logger } from '@pulso/platform/logging/logger';
import type { IncomingMessage } from 'node:http';
import { VideoView } from '../asset/video-view.js';
import { KnownUsers } from '../projections/known-users.js';
import { AssetRepository } from '../store/asset.repository.js';
import { assetNotFound } from '../store/asset-errors.js';
import { BeginVideo } from './begin-video.js';
import { DiskRoom } from './disk-room.js';
import { readParts } from './read-parts.js';
import { ReceivePieces } from './receive-pieces.js';
import { UploadLimits } from './upload-limits.js';

const tooLarge = () =>
  new DomainError(
    'file-too-large',
    `A video of more than ${VIDEO.oneRequestBytes} bytes is sent to /api/uploads.`,
  );

/**
 * `POST /api/media/videos`: a small video in one request (MEDIA-9), which then is what a whole upload in pieces is. Throws as
 * UploadImage, and as BeginVideo.
 */
@Injectable()
export class UploadVideo {
  private readonly slots = new KeyedSlots(() => this.limits);

  constructor(
    private readonly users: KnownUsers,
    private readonly assets: AssetRepository,
    private readonly beginning: BeginVideo,
    private readonly pieces: ReceivePieces,
    private readonly view: VideoView,
    private readonly disk: DiskRoom,
    private readonly limits: UploadLimits,
    private readonly logger: Logger,
  ) {}

  async execute(request: IncomingMessage, signal: AbortSignal): Promise<Video> {
    const { userId } = requireCaller();
    await this.users.requireActive(userId);
    await this.disk.require();
    const { formBytes, paceBytes, paceMs } = this.limits;
    const bounds = { fields: [], fileBytes: VIDEO.oneRequestBytes, formBytes, paceBytes, paceMs, tooLarge };
    if (Number(request.headers['content-length'] ?? 0) > bounds.fileBytes + formBytes) throw tooLarge();
    const release = await this.slots.take([{ key: userId, most: this.limits.perOwner }], signal);
    try {
      const { file, fileName, fileType } = await readParts(request, bounds, signal);
      const id = await this.beginning.execute({ length: file.length, name: fileName, type: fileType });
      return await this.keep(id, userId, file);
    } finally {
      release();
    }
  }

  private async keep(id: string, ownerId: string, file: Buffer): Promise<Video> {
    try {
      await this.pieces.execute(oneChunk(file), id, 0);
      const asset = await this.assets.find(id);
      if (!asset) throw assetNotFound();
      return await this.view.of(asset);
    } catch (error) {
      await this.giveUp(id, ownerId);
      throw error;
    }
  }

  /** Where the store is away too, the reservation expires by itself. */
  private async giveUp(id: string, ownerId: string): Promise<void> {
    try {
      await this.assets.giveUpUpload(id, ownerId);
    } catch (error) {
      this.logger.warn({ err: error, asset: id }, 'a video that failed keeps its room until it expires');
    }
  }
}

async function* oneChunk(file: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(file);
}
