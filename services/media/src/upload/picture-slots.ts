import { Injectable } from '@nestjs/common';
import { KeyedSlots, type ReleaseSlot } from '@pulso/platform/limits/keyed-slots';
import { UploadLimits } from './upload-limits.js';

/** Limits how many pictures are decoded at once: one of an owner, so that one account leaves room for others (LIMIT-10). */
@Injectable()
export class PictureSlots {
  private readonly slots: KeyedSlots;

  constructor(private readonly limits: UploadLimits) {
    this.slots = new KeyedSlots(() => ({ ...limits, total: limits.pictures }));
  }

  /** Rejects with `unavailable` when no slot is free in time, and with the signal's reason. */
  take(ownerId: string, signal: AbortSignal): Promise<ReleaseSlot> {
    return this.slots.take([{ key: ownerId, most: this.limits.picturesPerOwner }], signal);
  }
}
