import { JSON_OPTION, LIMIT_OPTION, limitOf } from '../command-line/operator-input.js';
import { linesOf } from '../command-line/table.js';
import type { ServiceCommand } from '../service/service-commands.js';
import { AuditTrail } from './audit-trail.js';

/** The command of every service that records its operators' acts. */
export const AUDIT_COMMANDS: Readonly<Record<string, ServiceCommand>> = {
  audit: {
    options: { subject: { type: 'string', value: '<id>' }, ...LIMIT_OPTION, ...JSON_OPTION },
    summary:
      'lists what operators did, newest first: who, when, what, to whom and why; --subject: to this id',
    prepare(input) {
      const limit = limitOf(input);
      const { subject, json } = input.options;
      const wanted = { limit, ...(subject !== undefined && { subject: String(subject) }) };
      return async (service) => {
        const entries = await service.get(AuditTrail).list(wanted);
        const rows = entries.map(({ at, ...entry }) => ({ at: at.toISOString(), ...entry }));
        return linesOf(rows, { json: json === true, empty: 'No entries.' });
      };
    },
  },
};
