import { Injectable } from '@nestjs/common';
import { UserEraser } from '@pulso/platform/erasure/user-eraser';
import { RemoveArchives } from '../archive/remove-archives.job.js';
import { RemoveAssets } from '../asset/remove-assets.job.js';
import { KnownUsers } from '../projections/known-users.js';
import { ClaimRepository } from '../store/claim.repository.js';
import { StoredVideos } from '../store/stored-videos.js';

/** Erases all that a user has stored: files of images and videos, pieces of uploads, archives, and their rows (ACCT-32). */
@Injectable()
export class EraseMedia extends UserEraser {
  constructor(
    private readonly users: KnownUsers,
    private readonly removal: RemoveAssets,
    private readonly claims: ClaimRepository,
    private readonly videos: StoredVideos,
    private readonly archives: RemoveArchives,
  ) {
    super();
  }

  async erase(userId: string, stopping: AbortSignal): Promise<boolean> {
    if (!(await this.users.isDeleted(userId))) return false;
    await this.archives.removeAllOf(userId);
    await this.claims.forgetAllOf(userId);
    const isRemoved = await this.removal.removeAllOf(userId, stopping);
    await this.videos.forgetNamesOf(userId);
    return isRemoved;
  }
}
