import { Injectable } from '@nestjs/common';
import type { Archive } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ArchiveRepository } from '../store/archive.repository.js';
import { ArchiveView } from './archive-view.js';

/** `GET /api/me/archive`: what has become of the caller's archive (ACCT-45). */
@Injectable()
export class GetArchive {
  constructor(
    private readonly archives: ArchiveRepository,
    private readonly view: ArchiveView,
  ) {}

  async execute(): Promise<Archive> {
    const { userId } = requireCaller();
    return this.view.of(await this.archives.find(userId));
  }
}
