import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { isStoreTrouble } from '@pulso/platform/errors/store-trouble';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { assertMigrated } from '@pulso/platform/postgres/assert-migrated';
import { StartError } from '@pulso/platform/start/start-error';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import { dataSourceOptions } from '../database/data-source.js';
import { KnownUsers } from '../projection/known-users.js';
import { type QueuedReport, ReportRepository } from '../report/report.repository.js';
import { DecisionRepository } from './decision.repository.js';
import { ACTIONS, type Action, ResolveReport } from './resolve-report.js';

const USAGE = `Usage: moderate <command>
  list [--all] [--limit <n>] [--json]        open reports, oldest first; --all: resolved ones too
  resolve <report> --action <${ACTIONS.join('|')}> --by <moderator> [--target <post or user id>]
  hide-post <post> | unhide-post <post>      --by <moderator>
  suspend-user <user> | reinstate-user <user> --by <moderator>`;

const OPTIONS = {
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
  action: { type: 'string' },
  by: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  target: { type: 'string' },
} as const;

const MOST_LISTED = 1_000;

/** The command line was not understood; the message is for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Toolbox {
  dataSource: DataSource;
  reports: ReportRepository;
  decisions: DecisionRepository;
  users: KnownUsers;
  clock: Clock;
}

type Arguments = ReturnType<typeof readArguments>;

/**
 * Runs one command of the moderators' command line against social's database and prints lines. Decisions leave as
 * events by the outbox: the running service publishes them. Throws UsageError, StartError and DomainErrors.
 */
export async function moderate(options: {
  argv: readonly string[];
  databaseUrl: string;
  print: (line: string) => void;
  clock?: Clock;
}): Promise<void> {
  const { argv, databaseUrl, print, clock = systemClock } = options;
  const given = readArguments(argv);
  if (given.values.help) return print(USAGE);
  const command = commandOf(given);
  const database = dataSourceOptions({ SOCIAL_DATABASE_URL: databaseUrl, SOCIAL_DATABASE_POOL: 1 });
  await assertMigrated('SOCIAL_DATABASE_URL', databaseUrl, database);
  const dataSource = await new DataSource(database).initialize();
  try {
    const toolbox: Toolbox = {
      dataSource,
      clock,
      reports: new ReportRepository(dataSource),
      decisions: new DecisionRepository(dataSource, clock),
      users: new KnownUsers(dataSource, clock),
    };
    for (const line of await command(toolbox)) print(line);
  } finally {
    await dataSource.destroy();
  }
}

/** What can be told from the arguments alone is told before the database is asked. */
function commandOf(given: Arguments): (toolbox: Toolbox) => Promise<string[]> {
  const { command, subject, values } = given;
  if (command === 'list') return list(values);
  if (command === 'resolve') return resolve(subject, values);
  if (command === 'hide-post' || command === 'unhide-post') {
    return decidePost(subject, command === 'hide-post', values);
  }
  if (command === 'suspend-user' || command === 'reinstate-user') {
    return decideUser(subject, command === 'suspend-user', values);
  }
  throw new UsageError(command === undefined ? 'A command is needed.' : `Unknown command: ${command}`);
}

function list({ all, json, limit }: Arguments['values']) {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED) {
    throw new UsageError(`--limit must be from 1 to ${MOST_LISTED}.`);
  }
  return async ({ reports }: Toolbox) => {
    const queue = await reports.queue({ resolved: all, limit: most });
    if (json) return queue.map((report) => JSON.stringify(report));
    return queue.length === 0 ? ['No open reports.'] : queue.flatMap(lines);
  };
}

function resolve(reportId: string, { action, by, target }: Arguments['values']) {
  if (!isAction(action)) throw new UsageError(`--action must be one of ${ACTIONS.join(', ')}.`);
  const moderator = nameOf(by);
  return async ({ dataSource, reports, decisions, users, clock }: Toolbox) => {
    const useCase = new ResolveReport(dataSource, reports, decisions, users, clock);
    const closed = await useCase.execute({ reportId, action, target, by: moderator });
    return [`Resolved by ${action}: ${closed} report${closed === 1 ? '' : 's'} closed.`];
  };
}

function decidePost(postId: string, hidden: boolean, { by }: Arguments['values']) {
  const moderator = nameOf(by);
  return async ({ dataSource, decisions }: Toolbox) => {
    if (!isId(postId)) throw notFound('No such post');
    await dataSource.transaction((transaction) =>
      decisions.setHidden(postId, hidden, moderator, transaction),
    );
    return [`Post ${postId} is ${hidden ? 'hidden' : 'shown again'}.`];
  };
}

function decideUser(userId: string, suspended: boolean, { by }: Arguments['values']) {
  const moderator = nameOf(by);
  return async ({ dataSource, decisions, users }: Toolbox) => {
    await users.require(userId, 'suspended-too');
    await dataSource.transaction((transaction) =>
      decisions.setSuspended(userId, suspended, moderator, transaction),
    );
    return [`User ${userId} is ${suspended ? 'suspended' : 'reinstated'}.`];
  };
}

function readArguments(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    const [command, subject = ''] = positionals;
    return { command, subject, values };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function nameOf(by: string | undefined): string {
  if (!by?.trim()) throw new UsageError('--by must name the moderator.');
  return by.trim();
}

function isAction(text: string | undefined): text is Action {
  return ACTIONS.some((action) => action === text);
}

/** The note comes from a stranger: quoted, so that it stays on its line. */
function lines(report: QueuedReport): string[] {
  const { id, createdAt, subjectType, subjectId, reason, reporter, note, resolution, resolvedBy } = report;
  const state = resolution === null ? 'open' : `${resolution} by ${resolvedBy}`;
  return [
    `${id}  ${createdAt.toISOString()}  ${state}`,
    `  ${reason}: ${subjectType} ${subjectId}, reported by ${reporter}`,
    ...(note === '' ? [] : [`  ${JSON.stringify(note)}`]),
  ];
}

/** What to tell the operator of a failure they can do something about; undefined for any other. */
export function explanationOf(error: unknown): string | undefined {
  if (error instanceof UsageError) return `${error.message}\n${USAGE}`;
  if (isStoreTrouble(error)) return 'The database cannot be reached. Is SOCIAL_DATABASE_URL right?';
  return error instanceof DomainError || error instanceof StartError ? error.message : undefined;
}
