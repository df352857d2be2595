import { keepDraft, keptDraft } from '../../drafts/drafts.js';
import { isBlank } from '../../validation/text.js';
import type { Reason, SubjectType } from './api/send-report.js';

export interface ReportDraft {
  /** Empty while none is chosen. */
  reason: Reason | '';
  note: string;
}

interface Subject {
  subjectType: SubjectType;
  subjectId: string;
}

const reportOf = ({ subjectType, subjectId }: Subject) => `report:${subjectType}:${subjectId}`;

/** What the reporter has begun about a subject and not sent (UI-41). */
export const keptReport = (reporterId: string | undefined, subject: Subject): ReportDraft | undefined =>
  keptDraft(reporterId, reportOf(subject));

export function keepReport(reporterId: string, subject: Subject, draft: ReportDraft | undefined): void {
  const written = draft !== undefined && !isBlank(draft.note);
  const begun = written || draft?.reason ? draft : undefined;
  keepDraft(reporterId, reportOf(subject), begun, { unsent: written });
}
