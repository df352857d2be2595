import { type CommandInput, UsageError } from '@pulso/platform/command-line/run-commands';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import type { DecidedType } from '../store/decision.js';
import { DecisionRepository } from '../store/decision.repository.js';
import { accountCommands } from './account-commands.js';
import { GROUNDS_OPTIONS, groundsOf, limitOf, LIST_OPTIONS } from './command-input.js';
import { linesOfDecision, shownDecision } from './decision-lines.js';
import { reportCommands } from './report-commands.js';
import { ACTIONS, type Action, ResolveReport } from './resolve-report.js';

/** The moderation commands of social's command line (PEOPLE-36). The running service publishes their decisions. */
export const moderationCommands: Readonly<Record<string, ServiceCommand>> = {
  ...reportCommands,
  ...accountCommands,
  resolve: {
    operands: ['<report>'],
    options: {
      action: { type: 'string', value: `<${ACTIONS.join('|')}>`, required: true },
      ...GROUNDS_OPTIONS,
      target: { type: 'string', value: '<post, comment or user id>' },
    },
    summary: 'resolves a report and all other open reports about the same subject',
    prepare(input) {
      const { action, target } = input.options;
      if (!isAction(action)) throw new UsageError(`--action must be one of ${ACTIONS.join(', ')}.`);
      const decision = {
        reportId: subjectOf(input),
        action,
        target: target as string | undefined,
        ...groundsOf(input),
      };
      return async (service) => {
        const closed = await service.get(ResolveReport).execute(decision);
        return [`Resolved by ${action}: ${closed} report${closed === 1 ? '' : 's'} closed.`];
      };
    },
  },
  'hide-post': decide('post', true, 'hides a post from everyone except its author'),
  'unhide-post': decide('post', false, 'makes a hidden post visible again'),
  'hide-comment': decide('comment', true, 'hides a comment from everyone except its author'),
  'unhide-comment': decide('comment', false, 'makes a hidden comment visible again'),
  'suspend-user': decide(
    'user',
    true,
    'suspends a user: ends their sessions and hides their posts and comments',
  ),
  'reinstate-user': decide('user', false, 'reinstates a suspended user'),
  decisions: {
    options: { subject: { type: 'string', value: '<post, comment or user id>' }, ...LIST_OPTIONS },
    summary: 'lists the decisions of all moderators, newest first: who decided what, when and why',
    prepare(input) {
      const limit = limitOf(input);
      const { subject, json } = input.options;
      if (subject !== undefined && !isId(String(subject)))
        throw new UsageError('--subject must be the id of a post, comment or user.');
      const about = subject === undefined ? {} : { subjectId: String(subject) };
      return async (service) => {
        const decisions = await service.get(DecisionRepository).list({ ...about, limit });
        if (json) return decisions.map((decision) => JSON.stringify(shownDecision(decision)));
        return decisions.length === 0 ? ['No decisions.'] : decisions.flatMap(linesOfDecision);
      };
    },
  },
};

const DONE = {
  post: ['hidden', 'shown again'],
  comment: ['hidden', 'shown again'],
  user: ['suspended', 'reinstated'],
} as const;

function decide(type: DecidedType, active: boolean, summary: string): ServiceCommand {
  const title = `${type[0]!.toUpperCase()}${type.slice(1)}`;
  return {
    operands: [`<${type}>`],
    options: GROUNDS_OPTIONS,
    summary,
    prepare(input) {
      const id = subjectOf(input);
      const { reason = 'other', ...grounds } = groundsOf(input);
      return async (service) => {
        if (type === 'user') await service.get(KnownUsers).require(id, SUSPENDED_TOO);
        else if (!isId(id)) throw notFound(`No such ${type}`);
        const decisions = service.get(DecisionRepository);
        await service
          .get(Writes)
          .run((transaction) => decisions.decide(type, id, active, { ...grounds, reason }, transaction));
        return [`${title} ${id} is ${DONE[type][active ? 0 : 1]}.`];
      };
    },
  };
}

const subjectOf = ({ operands: [subject = ''] }: CommandInput) => subject;

const isAction = (text: unknown): text is Action => ACTIONS.some((action) => action === text);
