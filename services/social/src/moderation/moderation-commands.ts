import { type CommandInput, UsageError } from '@pulso/platform/command-line/run-commands';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { KnownUsers } from '../projection/known-users.js';
import { type QueuedReport, ReportRepository } from '../report/report.repository.js';
import { DecisionRepository } from './decision.repository.js';
import { ACTIONS, type Action, ResolveReport } from './resolve-report.js';

const MOST_LISTED = 1_000;
const BY = { type: 'string', value: '<moderator>', required: true } as const;

/** The moderation commands of social's command line. The running service publishes their decisions. */
export const moderationCommands: Readonly<Record<string, ServiceCommand>> = {
  reports: {
    options: {
      all: { type: 'boolean' },
      limit: { type: 'string', value: '<n>', default: '50' },
      json: { type: 'boolean' },
    },
    summary: 'lists open reports, oldest first; with --all also resolved ones',
    prepare({ options: { all, limit, json } }) {
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED)
        throw new UsageError(`--limit must be from 1 to ${MOST_LISTED}.`);
      return async (service) => {
        const queue = await service.get(ReportRepository).queue({ resolved: all === true, limit: most });
        if (json) return queue.map((report) => JSON.stringify(report));
        return queue.length === 0 ? ['No open reports.'] : queue.flatMap(linesOf);
      };
    },
  },
  resolve: {
    operands: ['<report>'],
    options: {
      action: { type: 'string', value: `<${ACTIONS.join('|')}>`, required: true },
      by: BY,
      target: { type: 'string', value: '<post or user id>' },
    },
    summary: 'resolves a report and all other open reports about the same subject',
    prepare(input) {
      const { action, target } = input.options;
      if (!isAction(action)) throw new UsageError(`--action must be one of ${ACTIONS.join(', ')}.`);
      const decision = {
        reportId: subjectOf(input),
        action,
        target: target as string | undefined,
        by: moderatorOf(input),
      };
      return async (service) => {
        const closed = await service.get(ResolveReport).execute(decision);
        return [`Resolved by ${action}: ${closed} report${closed === 1 ? '' : 's'} closed.`];
      };
    },
  },
  'hide-post': decidePost(true, 'hides a post from everyone except its author'),
  'unhide-post': decidePost(false, 'makes a hidden post visible again'),
  'suspend-user': decideUser(true, 'suspends a user: ends their sessions and hides their posts and comments'),
  'reinstate-user': decideUser(false, 'reinstates a suspended user'),
};

function decidePost(hidden: boolean, summary: string): ServiceCommand {
  return {
    operands: ['<post>'],
    options: { by: BY },
    summary,
    prepare(input) {
      const [postId, by] = [subjectOf(input), moderatorOf(input)];
      return async (service) => {
        if (!isId(postId)) throw notFound('No such post');
        const decisions = service.get(DecisionRepository);
        await service.get(Writes).run((transaction) => decisions.setHidden(postId, hidden, by, transaction));
        return [`Post ${postId} is ${hidden ? 'hidden' : 'shown again'}.`];
      };
    },
  };
}

function decideUser(suspended: boolean, summary: string): ServiceCommand {
  return {
    operands: ['<user>'],
    options: { by: BY },
    summary,
    prepare(input) {
      const [userId, by] = [subjectOf(input), moderatorOf(input)];
      return async (service) => {
        await service.get(KnownUsers).require(userId, 'suspended-too');
        const decisions = service.get(DecisionRepository);
        await service
          .get(Writes)
          .run((transaction) => decisions.setSuspended(userId, suspended, by, transaction));
        return [`User ${userId} is ${suspended ? 'suspended' : 'reinstated'}.`];
      };
    },
  };
}

const subjectOf = ({ operands: [subject = ''] }: CommandInput) => subject;
const moderatorOf = ({ options: { by } }: CommandInput) => String(by).trim();

const isAction = (text: unknown): text is Action => ACTIONS.some((action) => action === text);

/** The note is untrusted text: quoted, so that it stays on its line. */
function linesOf(report: QueuedReport): string[] {
  const { id, createdAt, subjectType, subjectId, reason, reporter, note, resolution, resolvedBy } = report;
  const state = resolution === null ? 'open' : `${resolution} by ${resolvedBy}`;
  return [
    `${id}  ${createdAt.toISOString()}  ${state}`,
    `  ${reason}: ${subjectType} ${subjectId}, reported by ${reporter}`,
    ...(note === '' ? [] : [`  ${JSON.stringify(note)}`]),
  ];
}
