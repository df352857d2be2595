import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import type { Topic } from '@pulso/contracts/topics/topic';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { z } from 'zod';
import { CreateOutbox1700000000000, IndexOutbox1764300000000, PostgresOutbox } from './postgres-outbox.js';
import { ErasedUsers } from '../erasure/erased-users.js';
import { MarkedUsers, NobodyMarked } from '../erasure/marked-users.js';
import { newId } from '../ids/uuid-v7.js';
import type { ServiceCommand } from '../service/service-commands.js';
import { job, type ServiceJob } from '../service/service-job.js';
import { OpenStore, type Store, type StoreTarget } from '../service/store.js';
import { connectOrExplain } from '../process/engine-address.js';
import { assertMigrated } from './assert-migrated.js';
import { Clock } from '../time/clock.js';
import { CreateErasedUsers1766600000000 } from './create-erased-users.migration.js';
import { CreateIdempotencyKeys1764000000001 } from './create-idempotency-keys.migration.js';
import { CreateLeases1765100000000 } from './create-leases.migration.js';
import { CreateProjectionRebuilds1764200000000 } from './create-rebuilds.migration.js';
import { CreateStartPoints1764600000000 } from './create-start-points.migration.js';
import { databaseTime } from './database-time.js';
import { ErasedUser, toErasedUserState } from './erased-user.entity.js';
import { IdempotentWrites } from './idempotent-writes.js';
import { MIGRATION_LIMITS, poolOptions, REQUEST_LIMITS } from './pool-options.js';
import { PostgresErasedUsers } from './postgres-erased-users.js';
import { PostgresStartPoints } from './postgres-start-points.js';
import { ProjectionStore } from './projection-table.js';
import { readInBatches } from './read-in-batches.js';
import { Rebuilds } from './rebuilds.js';
import { Statements } from './statements.js';
import { Writes } from './writes.js';

const HOUR_MS = 60 * 60_000;

/** An entity whose rows are published: its topic, and how a row becomes a state. */
export interface OwnedEntity<Row extends ObjectLiteral = ObjectLiteral, State = unknown> {
  readonly topic: Topic<State>;
  readonly entity: EntityTarget<Row>;
  toState(row: Row): State;
}

export function owned<Row extends ObjectLiteral, State>(
  topic: Topic<State>,
  entity: EntityTarget<Row>,
  toState: (row: Row) => State,
): OwnedEntity {
  return { topic, entity, toState } as OwnedEntity<Row, State> as OwnedEntity;
}

export interface PostgresStoreOptions {
  entities: readonly (new () => object)[];
  /** The service's own migrations; those of the outbox, leases, idempotency keys, rebuilds and start points are added for every service. */
  migrations: readonly (new () => object)[];
  /** Migrations that remove what the version before still reads. A service runs before and after them. */
  cleanupMigrations?: readonly (new () => object)[];
  owns: readonly OwnedEntity[];
  /** The topic on which the service acknowledges erasures; see `eraser` of `defineService`. */
  acknowledges?: Topic<ErasedUserState>;
  /** Whom a service of another kind marks as erased; nobody unless one of the two is given. */
  marks?: Type<MarkedUsers>;
  /** What the service injects beside what every one has, such as `foreignCalls`. */
  parts?: readonly StorePart[];
}

const marksIn = ({ acknowledges, marks = NobodyMarked }: PostgresStoreOptions): Provider[] =>
  acknowledges
    ? [
        {
          provide: ErasedUsers,
          useFactory: (dataSource: DataSource, statements: Statements, writes: Writes, clock: Clock) =>
            new PostgresErasedUsers(acknowledges, { dataSource, statements, writes, clock }),
          inject: [DataSource, Statements, Writes, Clock],
        },
        { provide: MarkedUsers, useExisting: ErasedUsers },
      ]
    : [{ provide: MarkedUsers, useClass: marks }];

/** A provider of the platform that has tables, jobs and commands of its own. */
export interface StorePart {
  migrations: readonly (new () => object)[];
  provider: Type;
  jobs: readonly ServiceJob[];
  commands: Readonly<Record<string, ServiceCommand>>;
}

export interface PostgresStore extends Store {
  readonly kind: 'postgres';
  readonly owned: readonly OwnedEntity[];
  /** The options without a pool and with the migrations that the service needs; also for tests. */
  dataSourceOptions(target: StoreTarget): DataSourceOptions & { type: 'postgres' };
}

/**
 * A service's own PostgreSQL database, through TypeORM. Provides `DataSource`, `Writes`, `IdempotentWrites` and
 * `ProjectionStore`.
 */
export function postgres(options: PostgresStoreOptions): PostgresStore {
  const { migrations, cleanupMigrations = [], parts = [], acknowledges } = options;
  const entities = [...options.entities, ...(acknowledges ? [ErasedUser] : [])];
  const owns = [
    ...options.owns,
    ...(acknowledges ? [owned(acknowledges, ErasedUser, toErasedUserState)] : []),
  ];
  const partProviders = parts.map(({ provider }) => provider);
  const dataSourceOptions = ({ service, url, pool }: StoreTarget) =>
    ({
      type: 'postgres',
      // TypeORM would load it by name: in a bundle that is a second copy.
      driver: pg,
      url,
      applicationName: `pulso-${service}`,
      poolSize: pool,
      entities,
      migrations: [
        CreateOutbox1700000000000,
        CreateIdempotencyKeys1764000000001,
        CreateProjectionRebuilds1764200000000,
        IndexOutbox1764300000000,
        CreateStartPoints1764600000000,
        CreateLeases1765100000000,
        ...(acknowledges ? [CreateErasedUsers1766600000000] : []),
        ...parts.flatMap((part) => part.migrations),
        ...migrations,
      ],
      migrationsRun: false,
      synchronize: false,
      extra: poolOptions(REQUEST_LIMITS),
    }) satisfies DataSourceOptions;

  return {
    kind: 'postgres',
    owns: owns.map(({ topic }) => topic),
    acknowledges,
    owned: owns,
    url: z.url({ protocol: /^postgres(ql)?$/ }),
    defaultPool: 10,
    jobs: [
      job('purge of idempotency keys', HOUR_MS, IdempotentWrites, (keys, stopping) => keys.purge(stopping)),
      ...parts.flatMap((part) => part.jobs),
    ],
    commands: Object.assign({}, ...parts.map((part) => part.commands)) as StorePart['commands'],
    dataSourceOptions,
    module(target): DynamicModule {
      // A service and its worker may share a process: TypeORM knows each connection by a name of its own.
      const name = newId();
      return {
        module: PostgresModule,
        global: true,
        imports: [
          TypeOrmModule.forRoot({
            ...dataSourceOptions(target),
            name,
            retryAttempts: 5,
            retryDelay: 1_000,
          }),
        ],
        providers: [
          { provide: DataSource, useExisting: getDataSourceToken(name) },
          {
            provide: OpenStore,
            useFactory: (dataSource: DataSource) => new OpenPostgres(dataSource, owns),
            inject: [DataSource],
          },
          Statements,
          Writes,
          IdempotentWrites,
          Rebuilds,
          ProjectionStore,
          ...marksIn(options),
          ...partProviders,
        ],
        exports: [
          ...[DataSource, OpenStore, Statements, Writes, IdempotentWrites, ProjectionStore, MarkedUsers],
          ...(acknowledges ? [ErasedUsers] : []),
          ...partProviders,
        ],
      };
    },
    async migrate(target, { finish = false } = {}) {
      const known = dataSourceOptions(target);
      await connectOrExplain(target.setting, target.url, () => migrate(known));
      if (finish) await migrate({ ...known, migrations: [...known.migrations, ...cleanupMigrations] });
    },
    assertReady: (target) => assertMigrated(target.setting, target.url, dataSourceOptions(target)),
  };
}

class PostgresModule {}

async function migrate(options: DataSourceOptions): Promise<void> {
  // A migration may take longer than a request.
  const unhurried = { ...options, extra: poolOptions(MIGRATION_LIMITS), poolSize: 1 } as DataSourceOptions;
  const dataSource = await new DataSource(unhurried).initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

class OpenPostgres implements OpenStore {
  readonly outbox: PostgresOutbox;
  readonly startPoints: PostgresStartPoints;

  constructor(
    private readonly dataSource: DataSource,
    private readonly owns: readonly OwnedEntity[],
  ) {
    this.outbox = new PostgresOutbox(dataSource);
    this.startPoints = new PostgresStartPoints(dataSource);
  }

  async ping(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }

  time(): Promise<number> {
    return databaseTime(this.dataSource);
  }

  async *states(topic: Topic<unknown>): AsyncIterable<unknown> {
    const { entity, toState } = this.owns.find((owned) => owned.topic.name === topic.name)!;
    const key = this.dataSource.getMetadata(entity).primaryColumns.map(({ propertyName }) => propertyName);
    for await (const row of readInBatches(this.dataSource, entity, key)) yield toState(row);
  }
}
