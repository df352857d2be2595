import type { DynamicModule, Provider } from '@nestjs/common';
import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import type { Topic } from '@pulso/contracts/topics/topic';
import { z } from 'zod';
import { ErasedUsers } from '../erasure/erased-users.js';
import { MarkedUsers, NobodyMarked } from '../erasure/marked-users.js';
import { Commits } from '../events/outbox/commits.js';
import { job } from '../service/service-job.js';
import { OpenStore, type Store, type StoreTarget } from '../service/store.js';
import { connectOrExplain } from '../process/engine-address.js';
import { StartError } from '../process/start-error.js';
import { Clock } from '../time/clock.js';
import { ChangeTails } from './change-tails.js';
import type { CollectionClass } from './collection.js';
import { type ErasedUserRows, erasedUserCollection } from './erased-user.schema.js';
import { IdempotentInserts } from './idempotent-insert.js';
import { MIGRATION_LIMITS, MongoDatabase, ownedOf } from './mongo-database.js';
import { LeaseRows, MongoLease } from './mongo-lease.js';
import { MongoErasedUsers } from './mongo-erased-users.js';
import { MongoOutbox } from './mongo-outbox.js';
import { MongoStartPoints, StartPointRows } from './mongo-start-points.js';
import { RebuildRows, Rebuilds } from './rebuilds.js';
import { StoreClock } from './store-clock.js';

const PAGE = 500;
const PURGE_MS = 10 * 60_000;

export interface MongoStoreOptions {
  /** Classes made by `collection` and `ownedCollection`; the service injects them by class. */
  collections: readonly CollectionClass[];
  /** The topic on which the service acknowledges erasures; see `eraser` of `defineService`. */
  acknowledges?: Topic<ErasedUserState>;
}

/**
 * A service's own MongoDB database, through mongoose and its driver. Provides the collections, `StoreClock`, `ChangeTails`,
 * `Rebuilds` and `IdempotentInserts`. Throws if two collections have the same name.
 */
export function mongo({ collections, acknowledges }: MongoStoreOptions): Store {
  const marks = acknowledges && erasedUserCollection(acknowledges);
  const classes: CollectionClass[] = [...collections, RebuildRows, ...(marks ? [marks] : [])];
  const declarations = [...classes, StartPointRows, LeaseRows].map(({ declaration }) => declaration);
  const names = declarations.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw new Error(`a collection is declared twice: ${names.join(', ')}`);

  const opened = async <T>(target: StoreTarget, work: (database: MongoDatabase) => Promise<T>) => {
    const { url } = target;
    const database = await MongoDatabase.open({ url, pool: 1 }, declarations, MIGRATION_LIMITS);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };

  return {
    kind: 'mongo',
    owns: ownedOf(declarations).map(({ topic }) => topic),
    acknowledges,
    // The path names the database; the URL may name several hosts.
    url: z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+/, 'must be a mongodb:// URL that names a database'),
    defaultPool: 20,
    jobs: [
      job('purge of idempotency keys', PURGE_MS, IdempotentInserts, (inserts, stopping) =>
        inserts.purge(stopping),
      ),
    ],
    commands: {},
    module: (target): DynamicModule => ({
      module: MongoModule,
      global: true,
      providers: [
        { provide: MongoDatabase, useFactory: () => MongoDatabase.open(target, declarations) },
        {
          provide: OpenStore,
          useFactory: (database: MongoDatabase, storeClock: StoreClock, clock: Clock) =>
            new OpenMongo(database, storeClock, clock),
          inject: [MongoDatabase, StoreClock, Clock],
        },
        ...classes.map((Collection) => ({
          provide: Collection,
          useFactory: (...parts: [MongoDatabase, Commits, Clock]) => new Collection(...(parts as never)),
          inject: [MongoDatabase, Commits, Clock],
        })),
        {
          provide: StoreClock,
          useFactory: (database: MongoDatabase) => new StoreClock(() => database.time()),
          inject: [MongoDatabase],
        },
        ...[ChangeTails, Rebuilds, IdempotentInserts],
        ...marksIn(marks),
      ],
      exports: [
        ...[OpenStore, ...collections, StoreClock, ChangeTails, Rebuilds, IdempotentInserts, MarkedUsers],
        ...(marks ? [ErasedUsers] : []),
      ],
    }),
    migrate: (target) =>
      connectOrExplain(target.setting, target.url, () =>
        opened(target, (database) => database.createIndexes()),
      ),
    async assertReady(target) {
      const missing = await connectOrExplain(target.setting, target.url, () =>
        opened(target, (database) => database.missingIndexes()),
      );
      if (missing.length === 0) return;
      throw new StartError(
        `${target.setting}: the database lacks indexes of ${missing.join(', ')}. Run this version's \`migrate\` command first.`,
      );
    },
  };
}

class MongoModule {}

const marksIn = (marks: ReturnType<typeof erasedUserCollection> | undefined): Provider[] =>
  marks
    ? [
        {
          provide: ErasedUsers,
          useFactory: (rows: ErasedUserRows, clock: Clock) => new MongoErasedUsers(rows, clock),
          inject: [marks, Clock],
        },
        { provide: MarkedUsers, useExisting: ErasedUsers },
      ]
    : [{ provide: MarkedUsers, useClass: NobodyMarked }];

class OpenMongo implements OpenStore {
  readonly outbox: MongoOutbox;
  readonly startPoints: MongoStartPoints;

  constructor(
    private readonly database: MongoDatabase,
    storeClock: StoreClock,
    clock: Clock,
  ) {
    const lease = new MongoLease('outbox', new LeaseRows(database), storeClock);
    this.outbox = new MongoOutbox(database.bindings, lease, clock);
    this.startPoints = new MongoStartPoints(new StartPointRows(database));
  }

  ping(): Promise<void> {
    return this.database.ping();
  }

  async time(): Promise<number> {
    const { time } = await this.database.time();
    return time;
  }

  async *states(topic: Topic<unknown>): AsyncIterable<unknown> {
    const binding = this.database.bindings.find((owned) => owned.topic.name === topic.name)!;
    for (let after = ''; ;) {
      const page = await binding
        .collection()
        .find({ _id: { $gt: after } } as object)
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray();
      for (const document of page) yield binding.toState(document);
      if (page.length < PAGE) return;
      after = page.at(-1)!._id as unknown as string;
    }
  }
}
