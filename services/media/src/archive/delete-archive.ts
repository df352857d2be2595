import { Injectable } from '@nestjs/common';
import type { DeleteArchiveResponse } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ArchiveRepository } from '../store/archive.repository.js';

/** `DELETE /api/me/archive`: its addresses end at once, and one whose document comes is not built; the job removes the objects. */
@Injectable()
export class DeleteArchive {
  constructor(private readonly archives: ArchiveRepository) {}

  async execute(): Promise<DeleteArchiveResponse> {
    const { userId } = requireCaller();
    await this.archives.end(userId);
    return {};
  }
}
