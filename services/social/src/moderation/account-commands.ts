import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { type AccountRecord, AccountRecords } from './account-records.js';
import { linesOfDecision, shownDecision } from './decision-lines.js';
import { linesOfReport } from './report-commands.js';

/** What social knows of an account. Its profile is shown by identity's command of the same name. */
export const accountCommands: Readonly<Record<string, ServiceCommand>> = {
  'show-user': {
    operands: ['<username or id>'],
    options: { json: { type: 'boolean' } },
    summary: 'shows an account’s standing to a moderator, with the latest reports about it',
    prepare({ operands: [named = ''], options: { json } }) {
      return async (service) => {
        const record = await service.get(AccountRecords).of(named);
        if (json) return [JSON.stringify({ ...record, decisions: record.decisions.map(shownDecision) })];
        return linesOf(record);
      };
    },
  },
};

function linesOf(record: AccountRecord): string[] {
  const { id, username, status, followers, following, reviews, reported, made, decisions, reports } = record;
  return [
    `user ${id}  @${username}  ${status}`,
    `  ${followers} followers, follows ${following}, ${reviews} reviews`,
    `  reported ${reported} times; has made ${made.all} reports, ${made.open} open, ${made.dismissed} dismissed`,
    ...decisions.flatMap(linesOfDecision),
    ...reports.flatMap(linesOfReport),
  ];
}
