import { type CreateReportRequest, ReportReason, ReportSubject } from '@pulso/contracts/social/v1/social';
import { explanationOf } from '@pulso/platform/command-line/run-commands';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Person, Social } from '../start.js';

/** What users report, and what moderators do about it. */
export function moderation(current: () => Social) {
  function report(reporter: Person | null, fields: Partial<CreateReportRequest> & { subjectId: string }) {
    const request: CreateReportRequest = {
      subjectType: ReportSubject.REPORT_SUBJECT_POST,
      reason: ReportReason.REPORT_REASON_SPAM,
      note: '',
      idempotency: undefined,
      ...fields,
    };
    return current().as(reporter, (client) => client.createReport(request));
  }

  /** Runs a command as an operator would; returns its output lines, or the error message. */
  async function operator(name: string, ...words: string[]): Promise<string[]> {
    try {
      return await current().command(name, ...words);
    } catch (error) {
      const explanation = explanationOf(error);
      if (explanation === undefined) throw error;
      return [`refused: ${explanation}`];
    }
  }

  const queue = async (...options: string[]) =>
    (await operator('list-reports', '--json', ...options)).map(
      (line) => JSON.parse(line) as { id: string; reason: string; note: string; resolution: string | null },
    );

  const aPost = () => newIdAt(current().clock.now());

  return { report, operator, queue, aPost };
}
