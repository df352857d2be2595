import { type Statement, statement, type Statements } from '../postgres/statements.js';
import type { Transaction } from '../postgres/writes.js';
import type { ForeignCallId } from './foreign-call-kind.js';
import type {
  ByHand,
  CallRow,
  CallState,
  DueOfKind,
  KnownCall,
  Lease,
  ListedCall,
  Listing,
  NewCall,
  OpenCalls,
  TakenCall,
} from './foreign-call-row.js';

/** No foreign system works so long on one call. Also the longest pause between two attempts. */
export const REST_MS = 10 * 60_000;

/** Unknown: pending, and the foreign system may have executed it. The first attempt has not had its time yet. */
const SHOWN_STATE = `CASE WHEN state = 'pending' AND doubtful_since IS NOT NULL AND NOT (running AND attempts = 1)
  THEN 'unknown' ELSE state END`;
const ID = 'kind = $1 AND caller = $2 AND key = $3';
const ms = (parameter: string) => `${parameter}::float8 * interval '1 millisecond'`;
const columnsOf = (table: string) =>
  [
    ...['kind', 'caller', 'key', 'request', 'rendered', 'state', 'ending', 'enqueued', 'attempts', 'running'],
    ...['sent_key AS "sentKey"', 'api_version AS "apiVersion"'],
  ]
    .map((column) => `${table}.${column}`)
    .join(', ') + `, ${table}.due_at <= now() AS "isDue"`;
const COLUMNS = columnsOf('foreign_calls');
const FIRST_ATTEMPT = 'false AS "wasDoubtful", false AS rested, false AS "outOfTime"';

/** SQL: the calls of a kind that are due, and how each stands; `giveUpAfterMs` is its time until it is given up. */
const due = (kind: string, giveUpAfterMs: string, which: string) =>
  `SELECT kind, caller, key, doubtful_since IS NOT NULL AS doubtful, tried_at <= now() - ${ms(`${REST_MS}`)} AS rested,
     doubtful_since <= now() - ${ms(giveUpAfterMs)} AS out_of_time
   FROM foreign_calls
   WHERE kind = ${kind} AND state IN ('pending', 'abandoned') AND due_at <= now() ${which} FOR UPDATE SKIP LOCKED`;

/** Takes the calls that `which` finds, the columns of `due` and `lease_ms`. */
const taking = (name: string, which: string): Statement<TakenCall> =>
  statement(
    name,
    `WITH taken AS (${which})
     UPDATE foreign_calls AS call
     SET attempts = call.attempts + 1, running = true, tried_at = now(), due_at = now() + ${ms('taken.lease_ms')},
       doubtful_since = coalesce(call.doubtful_since, now())
     FROM taken WHERE (call.kind, call.caller, call.key) = (taken.kind, taken.caller, taken.key)
     RETURNING ${columnsOf('call')}, taken.doubtful AS "wasDoubtful", coalesce(taken.rested, false) AS rested,
       coalesce(taken.out_of_time, false) AS "outOfTime"`,
  );

/** Of each of the kinds in $1, JSON of `DueOfKind`, as many as there are places. */
const TAKE_DUE = taking(
  'foreign-calls.take-due',
  `SELECT due.*, asked."leaseMs" AS lease_ms
   FROM json_to_recordset($1) AS asked (name text, "leaseMs" float8, "giveUpAfterMs" float8, places integer)
   CROSS JOIN LATERAL (${due('asked.name', 'asked."giveUpAfterMs"', 'ORDER BY due_at LIMIT asked.places')}) AS due`,
);
/** $2 and $3 are milliseconds: lease, time until it is given up. */
const TAKE_ONE = taking(
  'foreign-calls.take-one',
  `SELECT due.*, $2::float8 AS lease_ms FROM (${due('$1', '$3', 'AND caller = $4 AND key = $5')}) AS due`,
);

const NEW = '(kind, caller, key, sent_key, request, rendered, api_version,';
const NEW_VALUES = '($1, $2, $3, $4, $5::jsonb, $6::json, $7,';

const BEGIN = statement<TakenCall>(
  'foreign-calls.begin',
  `INSERT INTO foreign_calls ${NEW} state, enqueued, attempts, running, due_at, tried_at, doubtful_since, created_at)
   VALUES ${NEW_VALUES} 'pending', false, 1, true, now() + ${ms('$8')}, now(), now(), now())
   ON CONFLICT DO NOTHING RETURNING ${COLUMNS}, ${FIRST_ATTEMPT}`,
);

// Parameters and key stay as they are where the request does.
const BEGIN_ANEW = statement<TakenCall>(
  'foreign-calls.begin-anew',
  `UPDATE foreign_calls
   SET sent_key = CASE WHEN request = $5::jsonb THEN sent_key ELSE $4 END,
     rendered = CASE WHEN request = $5::jsonb THEN rendered ELSE $6::json END,
     api_version = CASE WHEN request = $5::jsonb THEN api_version ELSE $7 END,
     request = $5::jsonb, state = 'pending', attempts = attempts + 1, running = true,
     due_at = now() + ${ms('$8')}, tried_at = now(), doubtful_since = now(), ended_at = NULL
   WHERE ${ID} AND state = 'not-executed' AND attempts = $9 RETURNING ${COLUMNS}, ${FIRST_ATTEMPT}`,
);

const ENQUEUE = statement<{ state: CallState; same: boolean; sentKey: string }>(
  'foreign-calls.enqueue',
  `INSERT INTO foreign_calls AS known ${NEW} state, enqueued, attempts, running, due_at, created_at)
   VALUES ${NEW_VALUES} 'pending', true, 0, false, now(), now())
   ON CONFLICT (kind, caller, key) DO UPDATE SET enqueued = true
   RETURNING state, request = $5::jsonb AS same, sent_key AS "sentKey"`,
);

const ENQUEUE_ANEW = statement<object>(
  'foreign-calls.enqueue-anew',
  `UPDATE foreign_calls
   SET sent_key = CASE WHEN request = $5::jsonb THEN sent_key ELSE $4 END,
     rendered = CASE WHEN request = $5::jsonb THEN rendered ELSE $6::json END,
     api_version = CASE WHEN request = $5::jsonb THEN api_version ELSE $7 END,
     request = $5::jsonb, state = 'pending', due_at = now(), ended_at = NULL
   WHERE ${ID}`,
);

const FIND = statement<KnownCall>(
  'foreign-calls.find',
  `SELECT ${COLUMNS}, request = $4::jsonb AS same,
     coalesce(tried_at <= now() - ${ms(`${REST_MS}`)}, true) AS rested
   FROM foreign_calls WHERE ${ID}`,
);

const LIST = statement<ListedCall>(
  'foreign-calls.list',
  `SELECT kind, caller, key, ${SHOWN_STATE} AS state, attempts, last_error AS "lastError",
     settled_by AS "settledBy", settled_because AS "settledBecause", sent_key AS "sentKey",
     extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", created_at AS "createdAt", due_at AS "dueAt"
   FROM foreign_calls
   WHERE ($1 OR state IN ('pending', 'abandoned')) AND ($2::text IS NULL OR kind = $2) ORDER BY created_at LIMIT $3`,
);

const OPEN = statement<OpenCalls>(
  'foreign-calls.open',
  `SELECT kind, ${SHOWN_STATE} AS state, count(*)::int AS count,
     extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
   FROM foreign_calls WHERE state IN ('pending', 'abandoned') GROUP BY 1, 2`,
);

// A success is the truth, whichever attempt has had it. A refusal counts for the attempt that is under way alone.
const DONE = statement<CallRow>(
  'foreign-calls.done',
  `UPDATE foreign_calls SET state = 'done', ending = $4::jsonb, running = false, ended_at = now(), last_error = NULL,
     settled_by = $5, settled_because = $6
   WHERE ${ID} AND state <> 'done' RETURNING ${COLUMNS}`,
);
const REFUSED = statement<CallRow>(
  'foreign-calls.refused',
  `UPDATE foreign_calls SET state = 'refused', ending = $4::jsonb, running = false, ended_at = now(),
     settled_by = $5, settled_because = $6
   WHERE ${ID} AND state IN ('pending', 'abandoned') AND attempts = $7 RETURNING ${COLUMNS}`,
);

const POSTPONE = statement<object>(
  'foreign-calls.postpone',
  `UPDATE foreign_calls SET state = $5, running = false, due_at = now() + ${ms('$6')}, last_error = $7
   WHERE ${ID} AND state IN ('pending', 'abandoned') AND attempts = $4 RETURNING kind`,
);

const NOT_EXECUTED = statement<object>(
  'foreign-calls.not-executed',
  `UPDATE foreign_calls
   SET state = CASE WHEN enqueued THEN 'pending' ELSE 'not-executed' END, ended_at = CASE WHEN enqueued THEN NULL ELSE now() END,
     running = false, sent_key = $5, doubtful_since = NULL, due_at = now() + ${ms('$6')}, last_error = $7
   WHERE ${ID} AND state IN ('pending', 'abandoned') AND attempts = $4 RETURNING kind`,
);

const PENDING_OF = statement<{ kind: string }>(
  'foreign-calls.pending-of',
  "SELECT kind FROM foreign_calls WHERE caller = $1 AND state = 'pending' ORDER BY kind",
);

const idOf = ({ kind, caller, key }: Pick<CallRow, 'kind' | 'caller' | 'key'>) => [kind, caller, key];
const newOf = ({ sentKey, request, rendered, apiVersion, ...id }: NewCall) => [
  ...idOf(id),
  ...[sentKey, request, rendered, apiVersion],
];

/** The queries of the table `foreign_calls`. All times are the database's: clocks of replicas differ. */
export class ForeignCallRows {
  constructor(private readonly statements: Pick<Statements, 'rows' | 'row'>) {}

  /** Stores a call that is under way from now on; undefined where its id is known already. */
  begin(call: NewCall, { leaseMs }: Lease): Promise<TakenCall | undefined> {
    return this.statements.row(BEGIN, [...newOf(call), leaseMs]);
  }

  /** The same for a call that was closed as not executed after `attempts`; undefined where another process was faster. */
  beginAnew(call: NewCall, { leaseMs }: Lease, attempts: number): Promise<TakenCall | undefined> {
    return this.statements.row(BEGIN_ANEW, [...newOf(call), leaseMs, attempts]);
  }

  /** Stores a call that is to be made. Returns what is stored: one that is known already is left as it is. */
  async enqueue(transaction: Transaction, call: NewCall) {
    const [stored] = await transaction.rows(ENQUEUE, newOf(call));
    return stored!;
  }

  async enqueueAnew(transaction: Transaction, call: NewCall): Promise<void> {
    await transaction.rows(ENQUEUE_ANEW, newOf(call));
  }

  /** The kinds of a caller's pending calls. */
  async pendingOf(transaction: Transaction, caller: string): Promise<string[]> {
    const rows = await transaction.rows(PENDING_OF, [caller]);
    return [...new Set(rows.map(({ kind }) => kind))];
  }

  /** `same` is whether its request is the given one, as JSON text. */
  find(id: Pick<CallRow, 'kind' | 'caller' | 'key'>, request = 'null') {
    return this.statements.row(FIND, [...idOf(id), request]);
  }

  list({ all, kind, limit }: Listing): Promise<ListedCall[]> {
    return this.statements.rows(LIST, [all, kind, limit]);
  }

  open(): Promise<OpenCalls[]> {
    return this.statements.rows(OPEN, []);
  }

  /** Calls that no process is making and whose time has come, of each kind the longest overdue. */
  takeDue(kinds: readonly DueOfKind[]): Promise<TakenCall[]> {
    return this.statements.rows(TAKE_DUE, [JSON.stringify(kinds)]);
  }

  takeOne(kind: string, { leaseMs, giveUpAfterMs }: Lease, { caller, key }: ForeignCallId) {
    return this.statements.row(TAKE_ONE, [kind, leaseMs, giveUpAfterMs, caller, key]);
  }

  /** Returns the row, or undefined where it was done already. */
  async done(transaction: Transaction, call: CallRow, outcome: unknown, hand?: ByHand) {
    const values = [JSON.stringify(outcome ?? null), hand?.by ?? null, hand?.because ?? null];
    const [row] = await transaction.rows(DONE, [...idOf(call), ...values]);
    return row;
  }

  /** Returns the row, or undefined where another attempt has begun or the call has ended. */
  async refused(transaction: Transaction, call: CallRow, refusal: object, hand?: ByHand) {
    const values = [JSON.stringify(refusal), hand?.by ?? null, hand?.because ?? null, call.attempts];
    const [row] = await transaction.rows(REFUSED, [...idOf(call), ...values]);
    return row;
  }

  /** The outcome is unknown: the call is taken again after the pause. Does nothing where another attempt has begun. */
  async postpone(
    call: CallRow,
    { state, pauseMs, error }: { state: 'pending' | 'abandoned'; pauseMs: number; error: string },
  ): Promise<void> {
    await this.statements.rows(POSTPONE, [...idOf(call), call.attempts, state, pauseMs, error]);
  }

  /** Certainly nothing was executed: an enqueued call is taken again after the pause, another one is closed. */
  async notExecuted(
    call: CallRow,
    { sentKey, pauseMs, error }: { sentKey: string; pauseMs: number; error: string },
  ): Promise<void> {
    await this.statements.rows(NOT_EXECUTED, [...idOf(call), call.attempts, sentKey, pauseMs, error]);
  }
}
