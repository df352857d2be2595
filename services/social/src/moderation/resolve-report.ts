import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import type { DecidedType, Grounds } from '../store/decision.js';
import { DecisionRepository } from '../store/decision.repository.js';
import type { Reason, Report, Resolution } from '../store/report.entity.js';
import { ReportRepository } from '../store/report.repository.js';

/** The actions that resolve a report. */
export const ACTIONS = ['dismiss', 'hide-post', 'hide-comment', 'suspend-user'] as const;
export type Action = (typeof ACTIONS)[number];

const RESOLUTIONS: Readonly<Record<Action, Resolution>> = {
  dismiss: 'dismissed',
  'hide-post': 'post-hidden',
  'hide-comment': 'comment-hidden',
  'suspend-user': 'user-suspended',
};

/** What each action decides about; `dismiss` changes nothing. */
const DECIDES: Readonly<Record<Exclude<Action, 'dismiss'>, DecidedType>> = {
  'hide-post': 'post',
  'hide-comment': 'comment',
  'suspend-user': 'user',
};

export interface ReportDecision {
  reportId: string;
  action: Action;
  /** The post or comment to hide or the user to suspend, unless it is the report's own subject. */
  target?: string;
  /** The report's own reason if absent. */
  reason?: Reason;
  by: Grounds['by'];
  note: Grounds['note'];
}

/**
 * Resolves a report together with all other open reports about the same subject. Throws `not-found`,
 * `already-resolved`, and `target-required` when the report's subject is not of the type that the action needs.
 */
@Injectable()
export class ResolveReport {
  constructor(
    private readonly writes: Writes,
    private readonly reports: ReportRepository,
    private readonly decisions: DecisionRepository,
    private readonly users: KnownUsers,
    private readonly clock: Clock,
  ) {}

  /** Returns how many reports it closed. */
  async execute({ reportId, action, target, reason, by, note }: ReportDecision): Promise<number> {
    if (!isId(reportId)) throw notFound('Report not found');
    return this.writes.run(async (transaction) => {
      const report = await this.reports.lockById(reportId, transaction);
      if (!report) throw notFound('Report not found');
      if (report.resolvedAt !== null) throw alreadyResolved();

      const grounds = { by, note, reason: reason ?? report.reason };
      if (action === 'dismiss') {
        await this.decisions.dismiss(report, grounds, transaction);
      } else {
        const type = DECIDES[action];
        const subject = targetOf(type, report, target);
        if (type === 'user') await this.users.require(subject, SUSPENDED_TOO, transaction);
        await this.decisions.decide(type, subject, true, grounds, transaction);
      }
      const outcome = { resolvedAt: this.clock.now(), resolution: RESOLUTIONS[action], resolvedBy: by };
      return this.reports.resolveAll(report, outcome, transaction);
    });
  }
}

function targetOf(
  wanted: DecidedType,
  { subjectType, subjectId }: Report,
  target: string | undefined,
): string {
  const found = target ?? (subjectType === wanted ? subjectId : undefined);
  if (found === undefined) {
    const message = `The report is about a ${subjectType}: name the ${wanted} with --target.`;
    throw new DomainError('target-required', message);
  }
  if (!isId(found)) throw notFound(`No such ${wanted}`);
  return found;
}

const alreadyResolved = () => new DomainError('already-resolved', 'The report has been resolved already.');
