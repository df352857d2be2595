import { UsageError } from '@pulso/platform/command-line/run-commands';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { ErasureRepository, type ShownErasure } from '../store/erasure.repository.js';
import { ACT_OPTIONS, actOf } from './act.js';
import { AskAgain } from './ask-again.js';
import { TakeErasures } from './take-erasures.js';

const LISTED = 100;
const MOST_HOURS = 72;

export const erasureCommands: Readonly<Record<string, ServiceCommand>> = {
  erasures: {
    operands: ['[<user id>]'],
    summary: `lists the erasures of accounts that some service has not acknowledged yet, the first ${LISTED}, or that of one user`,
    prepare({ operands: [userId] }) {
      if (userId !== undefined && !isId(userId)) throw new UsageError(`Not an id: ${userId}`);
      return async (service) => {
        const found = await service.get(ErasureRepository).list({ userId, limit: LISTED });
        if (found.length === 0) return [userId === undefined ? 'All erasures are complete.' : 'No erasure.'];
        return found.map(lineOf);
      };
    },
  },
  'take-erasures': {
    options: { ...ACT_OPTIONS, hours: { type: 'string', value: '<n>', default: '1' } },
    summary: `after a restore of identity: for so many hours, ${MOST_HOURS} at most, accounts that other services have erased are erased here, too; 0 ends it`,
    prepare(input) {
      const hours = Number(input.options['hours']);
      if (!Number.isInteger(hours) || hours < 0 || hours > MOST_HOURS)
        throw new UsageError(`--hours must be from 0 to ${MOST_HOURS}.`);
      const act = actOf(input);
      return async (service) => {
        const until = await service.get(TakeErasures).execute(hours, act);
        return [
          hours === 0
            ? 'No erasures of others are taken.'
            : `Erasures of others are taken until ${new Date(until).toISOString()}.`,
        ];
      };
    },
  },
  'ask-erasure': {
    operands: ['<user id>'],
    options: ACT_OPTIONS,
    summary: 'asks all services again to erase a user whose account is erased; safe to repeat',
    prepare(input) {
      const [userId = ''] = input.operands;
      if (!isId(userId)) throw new UsageError(`Not an id: ${userId}`);
      const act = actOf(input);
      return async (service) => {
        await service.get(AskAgain).execute(userId, act);
        return [`${userId}: all services are asked again.`];
      };
    },
  },
};

function lineOf({ userId, requestedAt, completedAt, missing }: ShownErasure): string {
  const state = completedAt
    ? `complete ${completedAt.toISOString()}`
    : `missing: ${missing.join(', ') || 'none'}`;
  return `${userId}  requested ${requestedAt.toISOString()}  ${state}`;
}
