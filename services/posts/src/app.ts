import 'reflect-metadata';
import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import type { EventBus } from '@pulso/platform/events/event-bus';
import { OutboxRelay, type OutboxRelayOptions } from '@pulso/platform/events/outbox';
import { settleWrites } from '@pulso/platform/events/settle-writes';
import type { Logger } from '@pulso/platform/logging/logger';
import { type RpcTransport, startRpcService } from '@pulso/platform/rpc/rpc-service';
import { gauge } from '@pulso/platform/telemetry/metrics';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import { type PostsComposition, composePosts } from './composition.js';
import type { PostsConfig } from './config.js';
import { POSTS_SERVICE } from './feed/feed-page.codec.js';
import { postsOutbox, republishNoun } from './outbox.js';
import { PostsModule } from './posts.module.js';
import { PostsStore } from './store/posts-store.js';

export interface PostsOptions {
  config: PostsConfig;
  transport: RpcTransport;
  /** Not started yet: consumers are subscribed here. */
  bus: EventBus;
  clock?: Clock;
  logger: Logger;
  registry?: OutboxRelayOptions['registry'];
}

export interface RunningPosts {
  /** Readiness: each rejects while what it names does not work. */
  checks: Record<string, () => Promise<void>>;
  /** Running; for `nudge` and `drain`. */
  relay: OutboxRelay;
  /** How others reach it, with the port that was really bound. */
  transport: RpcTransport;
  /** Publishes every `post`, `comment` or `like` again. */
  republish(noun: string): Promise<void>;
  /** Refuses new calls, finishes those under way, publishes what they wrote, and ends the relay. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts posts on a migrated store; resolves when every row is counted, the feed's index holds the whole store and the
 * rpc service answers. Rejects, with nothing left running, when the store cannot be reached.
 */
export async function startPosts(options: PostsOptions): Promise<RunningPosts> {
  const { config, transport, bus, clock = systemClock, logger, registry } = options;
  const store = await PostsStore.open(config);
  const parts = composePosts({ store, config, clock, logger });
  const source = parts.rowCounting.over(postsOutbox(store, clock));
  const relay = new OutboxRelay({ sources: [source], bus, logger, registry });
  parts.publication.connect((mark) => {
    parts.gate.noteSeen(mark);
    relay.nudge();
  });

  const stopBackground = async () => {
    await Promise.all([parts.eraseTraces.stop(), parts.forgetKeys.stop(), relay.stop()]);
    await Promise.all(Object.values(parts.tails).map((tail) => tail.stop()));
    await store.close();
  };
  try {
    await catchUp(parts);
    parts.subscribe(bus);
    const rpc = await startRpcService({
      module: PostsModule.over(Object.values(parts.useCases)),
      service: POSTS_SERVICE,
      transport,
      verifier: createAccessTokenVerifier({ jwks: config.ACCESS_TOKEN_JWKS, clock }),
      gate: parts.gate,
      settleWrites: settleWrites(bus, () => relay.nudge()),
      clock,
      logger,
      registry,
    });
    if (registry) {
      gauge(registry, {
        name: 'pulso_feed_index_posts',
        help: 'Posts in the index of the ranked feed',
        collect() {
          this.set(parts.livePosts.index.size);
        },
      });
    }
    relay.start();
    parts.eraseTraces.start();
    parts.forgetKeys.start();
    return {
      checks: {
        store: () => store.ping(),
        ...Object.fromEntries(
          Object.entries(parts.tails).map(([name, tail]) => [name, async () => tail.assertFresh()]),
        ),
      },
      relay,
      transport: rpc.transport,
      republish: async (noun) => void (await republishNoun(store, bus, noun)),
      drain: async () => {
        await rpc.drain();
        await relay.finish();
      },
      close: async () => {
        await rpc.close();
        await stopBackground();
      },
    };
  } catch (error) {
    await stopBackground();
    throw error;
  }
}

/** Counts what a crash left uncounted, then reads the whole store into the feed's index. */
async function catchUp({ rowCounting, tails }: PostsComposition): Promise<void> {
  await rowCounting.countDirtyRows();
  await Promise.all(Object.values(tails).map((tail) => tail.start()));
}
