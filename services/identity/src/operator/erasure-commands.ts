import { UsageError } from '@pulso/platform/command-line/run-commands';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { ErasureRepository, type ShownErasure } from '../store/erasure.repository.js';
import { ACT_OPTIONS, actOf } from './act.js';
import { AskAgain } from './ask-again.js';

const LISTED = 100;

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
