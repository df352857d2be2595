import type { LikeState } from '@pulso/contracts/posts/v1/events';
import { likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { createConnection, type mongo } from 'mongoose';
import { pino } from 'pino';
import type { EventRecord } from '../../src/events/event-bus.js';
import { EventsFailed } from '../../src/events/events-failed.js';
import { OutboxRelay } from '../../src/events/outbox/outbox.js';
import { nextVersion } from '../../src/events/version.js';
import { dirty, MONGO_OUTBOX_INDEXES, MongoOutbox } from '../../src/mongo/mongo-outbox.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { aPost } from '../events/recorder.js';

export type OutboxWorld = Awaited<ReturnType<typeof anOutboxWorld>>;

/** An outbox of posts and likes in its own database, and what goes wrong in it. */
export async function anOutboxWorld() {
  const database = aMongoDatabase('platform');
  const connection = await createConnection(database.url, { monitorCommands: true }).asPromise();
  const prepared = async (name: string) => {
    const collection = connection.db!.collection<mongo.Document & { _id: string }>(name);
    await collection.createIndexes(MONGO_OUTBOX_INDEXES.map((index) => ({ ...index })));
    return collection;
  };
  const posts = await prepared('posts');
  const likes = await prepared('likes');
  const clock = new ManualClock();
  const published: EventRecord[] = [];
  /** The documents passed to `beforeOutboxClear`, as stored at that time. */
  const forgetting: { _id: string; version: number; dirtyAt?: Date }[] = [];
  /** How the store was read for the documents to remove. */
  const removing: object[] = [];
  const faults = {
    /** `beforeOutboxClear` fails as a whole. */
    failing: false,
    /** It fails for these posts. */
    stuck: new Set<string>(),
    /** And names them. */
    naming: false,
    /** The posts without a state, and with one of another key. */
    broken: new Set<string>(),
    misnamed: new Set<string>(),
    /** Follows each reading of documents to remove. */
    onRemoving: () => {},
  };
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName !== 'find' || command.filter.expiresAt === undefined) return;
    removing.push(command.projection);
    faults.onRemoving();
  });
  const outbox = new MongoOutbox(
    [
      {
        collection: () => posts as unknown as mongo.Collection,
        topic: postTopic,
        toState({ _id, version, deletedAt }) {
          if (faults.broken.has(_id)) throw new Error(`${_id} is broken`);
          const id = faults.misnamed.has(_id) ? 'other' : _id;
          return aPost({ id, version, deleted: deletedAt !== undefined });
        },
        async beforeOutboxClear(documents) {
          for (const { _id, version } of documents) {
            const { dirtyAt } = (await posts.findOne({ _id }))!;
            forgetting.push({ _id, version, dirtyAt });
          }
          const failures = documents
            .filter(({ _id }) => faults.stuck.has(_id))
            .map(({ _id }) => ({ topic: postTopic.name, key: _id, error: new Error(`${_id} is stuck`) }));
          if (failures.length > 0 && faults.naming) throw new EventsFailed('not forgotten', failures);
          if (failures.length > 0) throw failures[0]!.error;
          if (faults.failing) throw new Error('not forgotten');
        },
      },
      {
        collection: () => likes as unknown as mongo.Collection,
        topic: likeTopic,
        toState: ({ version, targetId, userId }): LikeState => ({
          userId,
          targetId,
          version,
          postId: targetId,
          onComment: false,
          targetAuthorId: 'ada',
          active: true,
          createdAt: 0,
        }),
      },
    ],
    { claim: async () => true, unclaim: async () => {} },
    clock,
  );
  const relay = new OutboxRelay({
    sources: [outbox],
    logger: pino({ level: 'silent' }),
    bus: { publish: async (events) => void published.push(...events) },
  });

  /** Changes a document as services do: version and dirtyAt in the same update. */
  async function write(id: string, fields: object = {}, unset: object = {}): Promise<number> {
    clock.advance(1);
    const version = nextVersion((await posts.findOne({ _id: id }))?.version, clock);
    const set = { ...fields, version, ...dirty(version, new Date(clock.now())) };
    const update = Object.keys(unset).length > 0 ? { $set: set, $unset: unset } : { $set: set };
    await posts.updateOne({ _id: id }, update, { upsert: true });
    return version;
  }

  return {
    ...{ posts, likes, clock, published, forgetting, removing, faults, outbox, relay, write },
    remove: (id: string) => write(id, { deletedAt: new Date(clock.now()) }, { content: '' }),
    async close() {
      await relay.stop();
      await connection.close();
      await database.drop();
    },
  };
}
