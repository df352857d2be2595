import { Injectable } from '@nestjs/common';
import type { Image } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Clock } from '@pulso/platform/time/clock';
import type { IncomingMessage } from 'node:http';
import { fileTooLarge } from '../store/asset-errors.js';
import { objectKeyOf } from '../store/asset.js';
import { AssetRepository } from '../store/asset.repository.js';
import { ImageView } from '../asset/image-view.js';
import type { Picture } from '../picture/picture-messages.js';
import { KnownUsers } from '../projections/known-users.js';
import { DiskRoom } from './disk-room.js';
import { readForm } from './read-form.js';
import { RenderUpload } from './render-upload.js';
import { UploadLimits } from './upload-limits.js';

/**
 * `POST /api/media/images`: keeps room in the owner's storage, takes the file, and stores it as our own JPEG. A client that
 * leaves frees its slot and its room at once; where this process is killed, the room is free after `RECEIVING_MS`. Throws
 * `user-disabled`, `quota-exceeded`, `file-too-large`, `unsupported-media`, `too-many-requests`, `validation-failed`, `unavailable` and
 * TooSlow.
 */
@Injectable()
export class UploadImage {
  private readonly slots = new KeyedSlots(() => this.limits);

  constructor(
    private readonly users: KnownUsers,
    private readonly assets: AssetRepository,
    private readonly objects: ObjectStore,
    private readonly view: ImageView,
    private readonly rendering: RenderUpload,
    private readonly disk: DiskRoom,
    private readonly limits: UploadLimits,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async execute(request: IncomingMessage, signal: AbortSignal): Promise<Image> {
    const { userId } = requireCaller();
    await this.users.requireActive(userId);
    this.rendering.admit(userId);
    await this.disk.require();
    const { fileBytes, formBytes } = this.limits;
    // Absent where the client does not know how long its body is.
    const length = Number(request.headers['content-length'] ?? fileBytes);
    if (length > fileBytes + formBytes) throw fileTooLarge();
    const release = await this.slots.take([{ key: userId, most: this.limits.perOwner }], signal);
    try {
      const id = newIdAt(this.clock.now());
      await this.assets.reserve(id, userId, Math.min(length, fileBytes));
      return await this.receive(id, userId, request, signal);
    } finally {
      release();
    }
  }

  private async receive(
    id: string,
    ownerId: string,
    request: IncomingMessage,
    signal: AbortSignal,
  ): Promise<Image> {
    try {
      const form = await readForm(request, this.limits, signal);
      const { files, ...picture } = await this.rendering.execute(ownerId, form, signal);
      await this.store(id, files);
      signal.throwIfAborted();
      const { purpose, originalName, originalSize } = form;
      const facts = { id, ...picture, originalName, originalSize, bytes: files[0]!.bytes.length };
      const asset = await this.assets.finish(facts, ownerId, purpose);
      if (!asset) throw unavailable();
      return this.view.of(asset);
    } catch (error) {
      await this.giveUp(id, ownerId);
      throw error;
    }
  }

  private async store(id: string, files: Picture['files']): Promise<void> {
    try {
      for (const { variant, bytes } of files) await this.objects.put(objectKeyOf(id, variant), bytes);
    } catch (error) {
      this.logger.error({ err: error, asset: id }, 'a file could not be stored');
      throw unavailable();
    }
  }

  /** Where the store is away too, the reservation expires by itself. */
  private async giveUp(id: string, ownerId: string): Promise<void> {
    try {
      await this.assets.giveUpUpload(id, ownerId);
    } catch (error) {
      this.logger.warn({ err: error, asset: id }, 'an upload that failed keeps its room until it expires');
    }
  }
}
