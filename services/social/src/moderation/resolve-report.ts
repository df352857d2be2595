import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projection/known-users.js';
import type { Report, Resolution } from '../report/report.entity.js';
import { ReportRepository } from '../report/report.repository.js';
import { DecisionRepository } from './decision.repository.js';

/** The actions that resolve a report. */
export const ACTIONS = ['dismiss', 'hide-post', 'suspend-user'] as const;
export type Action = (typeof ACTIONS)[number];

const RESOLUTIONS: Readonly<Record<Action, Resolution>> = {
  dismiss: 'dismissed',
  'hide-post': 'post-hidden',
  'suspend-user': 'user-suspended',
};

export interface ReportDecision {
  reportId: string;
  action: Action;
  /** The post to hide or the user to suspend, unless it is the report's own subject. */
  target?: string;
  /** The moderator's name. */
  by: string;
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
  async execute({ reportId, action, target, by }: ReportDecision): Promise<number> {
    if (!isId(reportId)) throw notFound('Report not found');
    return this.writes.run(async (transaction) => {
      const report = await this.reports.lockById(reportId, transaction);
      if (!report) throw notFound('Report not found');
      if (report.resolvedAt !== null) throw alreadyResolved();

      const subject = targetOf(action, report, target);
      if (action === 'hide-post') await this.decisions.setHidden(subject, true, by, transaction);
      if (action === 'suspend-user') {
        await this.users.require(subject, 'suspended-too', transaction.manager);
        await this.decisions.setSuspended(subject, true, by, transaction);
      }
      const outcome = { resolvedAt: this.clock.now(), resolution: RESOLUTIONS[action], resolvedBy: by };
      return this.reports.resolveAll(report, outcome, transaction);
    });
  }
}

function targetOf(action: Action, { subjectType, subjectId }: Report, target: string | undefined): string {
  if (action === 'dismiss') return subjectId;
  const wanted = action === 'hide-post' ? 'post' : 'user';
  const found = target ?? (subjectType === wanted ? subjectId : undefined);
  if (found === undefined) {
    const message = `The report is about a ${subjectType}: name the ${wanted} with --target.`;
    throw new DomainError('target-required', message);
  }
  if (!isId(found)) throw notFound(`No such ${wanted}`);
  return found;
}

const alreadyResolved = () => new DomainError('already-resolved', 'The report has been resolved already.');
