import { Injectable } from '@nestjs/common';
import type { GetImportRequest, ImportState } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { ImportRepository } from '../store/import.repository.js';
import { viewImport } from './import-view.js';

/** `GET /api/me/import`: from where the caller has imported, and how much (ACCT-46). */
@Injectable()
export class GetImport {
  constructor(private readonly imports: ImportRepository) {}

  async execute(_request: GetImportRequest): Promise<ImportState> {
    const { userId } = requireCaller();
    return viewImport(await this.imports.find(userId));
  }
}
