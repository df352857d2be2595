import {
  CHANGE_OPTIONS,
  JSON_OPTION,
  LIMIT_OPTION,
  limitOf,
  NOTHING_CHANGED,
  operatorOf,
  REASON_OPTION,
} from '../command-line/operator-input.js';
import { type CommandInput, UsageError } from '../command-line/run-commands.js';
import { linesOf, type Row, timeText } from '../command-line/table.js';
import type { ServiceCommand } from '../service/service-commands.js';
import type { SaidEnd } from './foreign-call-operator.js';
import type { ListedCall } from './foreign-call-row.js';
import { ForeignCalls } from './foreign-calls.js';

/** The commands of every service that calls foreign systems. */
export const FOREIGN_CALL_COMMANDS: Readonly<Record<string, ServiceCommand>> = {
  'foreign-calls': {
    options: {
      all: { type: 'boolean' },
      kind: { type: 'string', value: '<kind>' },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    },
    summary:
      'lists the calls to foreign systems that have not ended, the oldest first; with --all also those that have',
    prepare(input) {
      const limit = limitOf(input);
      const { all, kind, json } = input.options;
      return async (service) => {
        const { operator } = service.get(ForeignCalls);
        const listing = { all: all === true, kind: kind === undefined ? null : String(kind), limit };
        const rows = (await operator.list(listing)).map((call) => rowOf(call, json === true));
        return linesOf(rows, { json: json === true, empty: 'No calls.' });
      };
    },
  },
  'settle-foreign-call': {
    operands: ['<kind>', '<caller>', '<key>'],
    options: {
      'as-executed': { type: 'string', value: '<outcome as JSON>' },
      'as-refused': { type: 'boolean' },
      ...REASON_OPTION,
      ...CHANGE_OPTIONS,
      ...JSON_OPTION,
    },
    summary:
      'asks the foreign system what it has made of a call, and ends the call so; where it cannot tell, as --as-executed or --as-refused says; only with --apply',
    prepare(input) {
      const said = saidOf(input);
      const { operands, options } = input;
      const [kind = '', caller = '', key = ''] = operands;
      const { reason, by, apply, json } = options;
      return async (service) => {
        const deed = { by: operatorOf(by), because: String(reason).trim(), apply: apply === true };
        const { operator } = service.get(ForeignCalls);
        const { call, found, then } = await operator.settle({ kind, caller, key }, said, deed);
        const row = { kind, caller, key, before: call.state, [apply ? 'now' : 'then']: then, found };
        return [
          ...linesOf([row], { json: json === true, empty: '' }),
          ...(json || apply ? [] : [NOTHING_CHANGED]),
        ];
      };
    },
  },
};

function saidOf({ options }: CommandInput): SaidEnd | undefined {
  const executed = options['as-executed'];
  if (executed !== undefined && options['as-refused'])
    throw new UsageError('Give --as-executed or --as-refused, not both.');
  if (options['as-refused']) return 'refused';
  if (executed === undefined) return undefined;
  try {
    return { outcome: JSON.parse(String(executed)) as unknown };
  } catch {
    throw new UsageError('--as-executed must be JSON, such as {"customerId":"cus_1"}.');
  }
}

/** The sent key, by which foreign systems' own lists are searched, is too long for a table. */
function rowOf({ createdAt, dueAt, ageSeconds, sentKey, ...call }: ListedCall, json: boolean): Row {
  return {
    ...call,
    ...(json ? { sentKey } : {}),
    age: `${Math.round(ageSeconds)} s`,
    since: timeText(createdAt.getTime()),
    due: timeText(dueAt.getTime()),
  };
}
