import { Injectable } from '@nestjs/common';
import { CreateReportResponse, type CreateReportRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { AnswerCodec } from '@pulso/platform/idempotency/answer-codec';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { IdempotentWrites } from '@pulso/platform/postgres/idempotent-writes';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import { ReportRepository } from '../store/report.repository.js';
import { readReport } from './read-report.js';

const EMPTY_ANSWER: AnswerCodec<CreateReportResponse> = {
  encode: () => new Uint8Array(),
  decode: () => ({}),
};

/**
 * `POST /api/reports`. Allowed even when one has blocked the other (PEOPLE-34). Social knows users only: a moderator
 * checks whether a reported post, comment or message exists (PEOPLE-35).
 */
@Injectable()
export class CreateReport {
  constructor(
    private readonly users: KnownUsers,
    private readonly reports: ReportRepository,
    private readonly idempotent: IdempotentWrites,
    private readonly writes: Writes,
    private readonly clock: Clock,
  ) {}

  async execute(request: CreateReportRequest): Promise<CreateReportResponse> {
    const { userId: reporterId } = requireCaller();
    const fields = readReport(request);
    const { subjectType, subjectId } = fields;
    if (subjectType === 'user')
      await this.users.requireCallerAnd(reporterId, subjectId, { accepted: SUSPENDED_TOO });
    else await this.users.requireCaller(reporterId);

    const once = { request: request.idempotency, callerId: reporterId, codec: EMPTY_ANSWER };
    return this.writes.run((transaction) =>
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
