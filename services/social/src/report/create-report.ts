import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CreateReportResponse, type CreateReportRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import { DATA_SOURCE } from '../database/data-source.js';
import { type AnswerCodec, IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { KnownUsers } from '../projection/known-users.js';
import { CLOCK } from '../tokens.js';
import { readReport } from './report.js';
import { ReportRepository } from './report.repository.js';

const NOTHING: AnswerCodec<CreateReportResponse> = {
  encode: () => new Uint8Array(),
  decode: () => ({}),
};

/**
 * `POST /api/reports`. Blocks are no hindrance. Only users are known here: whether a post, comment or message exists is
 * for the moderator to see.
 */
@Injectable()
export class CreateReport {
  constructor(
    private readonly users: KnownUsers,
    private readonly reports: ReportRepository,
    private readonly idempotent: IdempotentWrites,
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(request: CreateReportRequest): Promise<CreateReportResponse> {
    const { userId: reporterId } = requireCaller();
    const fields = readReport(request);
    const { subjectType, subjectId } = fields;
    if (subjectType === 'user') await this.users.requireCallerAnd(reporterId, subjectId, 'suspended-too');
    else await this.users.requireCaller(reporterId);

    const once = { request: request.idempotency, callerId: reporterId, codec: NOTHING };
    return this.dataSource.transaction((transaction) =>
      this.idempotent.once(once, transaction, async () => {
        const createdAt = this.clock.now();
        const open = { resolvedAt: null, resolution: null, resolvedBy: null };
        await this.reports.file(
          { ...fields, ...open, id: newIdAt(createdAt), reporterId, createdAt },
          transaction,
        );
        return {};
      }),
    );
  }
}
