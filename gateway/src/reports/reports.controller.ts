import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import type { FastifyRequest } from 'fastify';
import { SocialClient } from '../clients.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { NewReportBody, type Reason, type SubjectType } from './report.dto.js';

const SUBJECTS: Readonly<Record<SubjectType, ReportSubject>> = {
  user: ReportSubject.REPORT_SUBJECT_USER,
  post: ReportSubject.REPORT_SUBJECT_POST,
  comment: ReportSubject.REPORT_SUBJECT_COMMENT,
  message: ReportSubject.REPORT_SUBJECT_MESSAGE,
};

const REASONS: Readonly<Record<Reason, ReportReason>> = {
  spam: ReportReason.REPORT_REASON_SPAM,
  harassment: ReportReason.REPORT_REASON_HARASSMENT,
  nudity: ReportReason.REPORT_REASON_NUDITY,
  danger: ReportReason.REPORT_REASON_DANGER,
  other: ReportReason.REPORT_REASON_OTHER,
};

@ApiTags('People')
@Controller('api/reports')
export class ReportsController {
  constructor(private readonly social: SocialClient) {}

  @Post()
  @Endpoint({
    summary: 'Report a user or what they have written to the moderators',
    description: 'A second report of the same while the first is open replaces it.',
    access: 'private',
    limit: 'reports-account',
    creates: true,
    status: 202,
    errors: ['not-found'],
  })
  async create(@Body() body: NewReportBody, @Req() request: FastifyRequest): Promise<void> {
    const idempotency = idempotencyOf(request, body);
    const { subjectType, subjectId, reason, note } = body;
    await this.social.createReport({
      subjectType: SUBJECTS[subjectType],
      subjectId: pathId(subjectId),
      reason: REASONS[reason],
      note,
      idempotency,
    });
  }
}
