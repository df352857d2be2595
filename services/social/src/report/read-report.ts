import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { type CreateReportRequest, ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import type { Reason, SubjectType } from '../store/report.entity.js';

const SUBJECTS: Readonly<Record<ReportSubject, SubjectType | undefined>> = {
  [ReportSubject.REPORT_SUBJECT_UNSPECIFIED]: undefined,
  [ReportSubject.REPORT_SUBJECT_USER]: 'user',
  [ReportSubject.REPORT_SUBJECT_POST]: 'post',
  [ReportSubject.REPORT_SUBJECT_COMMENT]: 'comment',
  [ReportSubject.REPORT_SUBJECT_MESSAGE]: 'message',
  [ReportSubject.UNRECOGNIZED]: undefined,
};

const REASONS: Readonly<Record<ReportReason, Reason | undefined>> = {
  [ReportReason.REPORT_REASON_UNSPECIFIED]: undefined,
  [ReportReason.REPORT_REASON_SPAM]: 'spam',
  [ReportReason.REPORT_REASON_HARASSMENT]: 'harassment',
  [ReportReason.REPORT_REASON_NUDITY]: 'nudity',
  [ReportReason.REPORT_REASON_DANGER]: 'danger',
  [ReportReason.REPORT_REASON_OTHER]: 'other',
  [ReportReason.UNRECOGNIZED]: undefined,
};

/** Throws `validation-failed` with every problem, then `not-found` for an id in a wrong format. */
export function readReport(input: CreateReportRequest) {
  const problems = new FieldProblems();
  const subjectType = SUBJECTS[input.subjectType];
  const reason = REASONS[input.reason];
  if (!subjectType) problems.add('subjectType', 'unknown', 'This cannot be reported');
  if (!reason) problems.add('reason', 'required', VALIDATION_MESSAGES.required('reason'));
  const note = problems.text('note', input.note, TEXT_LIMITS.reportNote);
  problems.check();
  if (!isId(input.subjectId)) throw notFound();
  return { subjectType: subjectType!, subjectId: input.subjectId, reason: reason!, note };
}
