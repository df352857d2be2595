import { Injectable } from '@nestjs/common';
import { Slots } from './slots.js';
import { UploadLimits } from './upload-limits.js';

/** Whose picture is worked on: one of an owner at a time, so that one account leaves room for others (LIMIT-10). */
@Injectable()
export class PictureTurns extends Slots {
  constructor(limits: UploadLimits) {
    super(() => ({
      total: limits.pictures,
      perKey: limits.picturesPerOwner,
      waitMs: limits.waitMs,
      waiting: limits.waiting,
    }));
  }
}
