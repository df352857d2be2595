import { Injectable, type Type } from '@nestjs/common';
import type { ExportUserPage, ExportUserRequest } from '@pulso/contracts/common/v1/export';
import { CursorSealer } from '../auth/sealed-cursor.js';
import type { Handler } from '../rpc/handlers.js';
import { exportPage } from './export-page.js';
import { UserExport } from './user-export.js';

/**
 * The use case of `ExportUser`: what a service holds of the caller (ACCT-35). Each service has a class of its own, since Nest notes on the
 * class's method which rpc it answers, and one process may run several services.
 */
export function exportUserHandler(): Type<Handler<ExportUserRequest, ExportUserPage>> {
  @Injectable()
  class ExportUser {
    constructor(
      private readonly exported: UserExport,
      private readonly sealer: CursorSealer,
    ) {}

    execute(request: ExportUserRequest): Promise<ExportUserPage> {
      return exportPage(this.exported.sections, this.sealer, request);
    }
  }
  return ExportUser;
}
