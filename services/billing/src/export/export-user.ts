import { Injectable } from '@nestjs/common';
import type { ExportUserPage, ExportUserRequest } from '@pulso/contracts/common/v1/export';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { exportPage } from '@pulso/platform/export/export-page';
import { ExportedRows } from '../store/exported-rows.js';

/** What billing holds of the caller (ACCT-35). */
@Injectable()
export class ExportUser {
  constructor(
    private readonly exported: ExportedRows,
    private readonly sealer: CursorSealer,
  ) {}

  execute(request: ExportUserRequest): Promise<ExportUserPage> {
    return exportPage(this.exported.sections, this.sealer, request);
  }
}
