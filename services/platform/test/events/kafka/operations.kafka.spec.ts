import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { drainEvents } from '../../../src/events/outbox/drain-events.js';
import type { EventBus, RepublishEnd, RepublishStart } from '../../../src/events/event-bus.js';
import { createTopics } from '../../../src/events/kafka/create-topics.js';
import { DeadLetters } from '../../../src/events/kafka/dead-letters.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { createKafka } from '../../../src/events/kafka/kafka-client.js';
import { KafkaPublisher } from '../../../src/events/kafka/kafka-publisher.js';
import { toMessage } from '../../../src/events/kafka/kafka-record.js';
import { republish } from '../../../src/events/republish.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { systemClock } from '../../../src/time/clock.js';
import { gate } from '../../../testing/gate.js';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { until } from '../../../testing/until.js';
import { QUICK } from '../bus-fixture.js';
import { aPost, postEvent, Recorder } from '../recorder.js';
import { states } from '../republication-suite.js';
import { asAdmin, logger, openKafkaHouse, testTopics } from './kafka-fixture.js';

type Fixture = Awaited<ReturnType<typeof openKafkaHouse>>;

const drained = (bus: Parameters<typeof drainEvents>[0]['bus']) =>
  drainEvents({ relays: [], bus, timeoutMs: 100_000 });

describe('a group on several partitions', () => {
  let fixture: Fixture;
  beforeEach(async () => void (fixture = await openKafkaHouse(4)));

  const publishMany = (bus: EventBus, name: string, count: number) =>
    bus.publish(Array.from({ length: count }, (_, index) => postEvent(`${name}-${index}`)));

  it('is shared by its members, and taken over when one leaves', async () => {
    const [first, second] = [new Recorder('posts'), new Recorder('posts')];
    const one = await fixture.bus([first]);
    await publishMany(one, 'alone', 100);
    await first.received(100);
    const two = await fixture.bus([second]);
    let round = 0;
    const share = async () => {
      await publishMany(one, `shared-${round++}`, 40);
      return second.handled.length > 0;
    };
    await until(share, { what: 'the second member to get events' });
    await drained(one);
    const before = second.handled.length;
    await two.stop();
    await publishMany(one, 'after', 100);
    await drained(one);
    expect(second.handled).toHaveLength(before);
    const handled = new Set([...first.handled, ...second.handled]);
    for (let index = 0; index < 100; index += 1) {
      expect(handled).toContain(`alone-${index}@1`);
      expect(handled).toContain(`after-${index}@1`);
    }
    expect(await one.pending()).toBe(0);
  });

  it('loses no event when members join and leave while events are handled', async () => {
    const seen = new Map<string, number>();
    const recorder = () =>
      new Recorder('posts', {
        before: async ({ id }) => {
          await delay(2);
          seen.set(id, (seen.get(id) ?? 0) + 1);
        },
      });
    const publisher = await fixture.bus([]);
    const steady = await fixture.bus([recorder()]);
    let published = 0;
    let publishing = true;
    const stream = (async () => {
      while (publishing) {
        await publisher.publish(Array.from({ length: 20 }, () => postEvent(`post-${published++}`)));
        // So that the stream never ends, and never runs away from its consumers either.
        const followed = () => !publishing || published - seen.size <= 200;
        await until(followed, { what: 'the consumers to follow the stream', limit: 100_000 });
      }
    })();
    onTestEnd(() => {
      publishing = false;
      return stream;
    });
    for (let round = 0; round < 3; round += 1) {
      const visitor = recorder();
      const bus = await fixture.bus([visitor]);
      await visitor.received(5);
      await bus.stop();
    }
    publishing = false;
    await stream;
    await drained(steady);
    const missing = Array.from({ length: published }, (_, index) => `post-${index}`).filter(
      (id) => !seen.has(id),
    );
    expect(missing).toEqual([]);
  }, 180_000);

  it('gets the markers of a republication on every partition, around its states there', async () => {
    const marks: string[] = [];
    const ends: RepublishEnd[] = [];
    const recorder = Object.assign(new Recorder('projection'), {
      republishStarted: async ({ partition }: RepublishStart) => void marks.push(`start ${partition}`),
      republishEnded: async (end: RepublishEnd) => {
        marks.push(`end ${end.partition}`);
        ends.push(end);
      },
    });
    const bus = await fixture.bus([recorder]);
    expect(await bus.partitions(postTopic.name)).toBe(4);
    expect(await republish({ topic: postTopic, states: states(450), bus })).toBe(450);
    await drained(bus);
    for (let partition = 0; partition < 4; partition += 1) {
      expect(marks.indexOf(`start ${partition}`)).toBeLessThan(marks.indexOf(`end ${partition}`));
    }
    expect(ends).toHaveLength(4);
    expect(ends[0]).toMatchObject({ partitions: 4, states: 450 });
    expect(new Set(recorder.handled).size).toBe(450);
  });

  it('replays a republication’s dead states of every partition before its dead end markers', async () => {
    let broken = true;
    const ended = new Set<number>();
    const recorder = Object.assign(
      new Recorder('projection', {
        before: () => {
          if (broken) throw new Error('not yet');
        },
      }),
      {
        async republishEnded({ partition, states: count }: RepublishEnd) {
          if (recorder.handled.length < count) throw new Error('states are missing');
          ended.add(partition);
        },
      },
    );
    const bus = await fixture.bus([recorder], QUICK);
    await republish({ topic: postTopic, states: states(40), bus });
    await drained(bus);
    expect(await bus.deadLetters()).toHaveLength(40 + 4);
    broken = false;
    expect(await bus.replay('projection')).toMatchObject({ tried: 40 + 4, failed: 0 });
    expect([recorder.handled.length, ended.size]).toEqual([40, 4]);
    expect(await bus.deadLetters()).toEqual([]);
  });

  it('reports its outstanding deliveries and its lag', async () => {
    const registry = new Registry();
    const watched = await openKafkaHouse(2, { registry });
    const held = gate('the handlers to be let go');
    const recorder = new Recorder('posts', { before: () => held.opened });
    const bus = await watched.bus([recorder]);
    const begun = await registry.metrics();
    for (const name of ['failed', 'dead_lettered']) {
      expect(begun).toContain(`pulso_events_${name}_total{group="posts",topic="${postTopic.name}"} 0`);
    }
    await bus.publish([postEvent('a'), postEvent('b'), postEvent('c')]);
    const pending = `pulso_events_pending{group="posts",topic="${postTopic.name}"} 3`;
    const isReported = async () => {
      const text = await registry.metrics();
      return text.includes(pending) && text.includes('pulso_events_oldest_seconds{');
    };
    await until(isReported, { what: 'the metrics of three outstanding deliveries' });
    held.open();
    await drained(bus);
    expect(await registry.metrics()).toContain(
      `pulso_events_delay_seconds_count{group="posts",topic="${postTopic.name}"} 3`,
    );
  });
});

describe('a poison event', () => {
  let fixture: Fixture;
  beforeEach(async () => void (fixture = await openKafkaHouse(1)));

  it('becomes a dead letter while its partition continues, and is replayed by a command', async () => {
    let broken = true;
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (broken && id === 'poison') throw new Error('cannot digest this');
      },
    });
    const bus = await fixture.bus([recorder], QUICK);
    await bus.publish([postEvent('poison', 7), postEvent('good')]);
    await bus.publish([postEvent('later')]);
    await recorder.received(2);
    await drained(bus);
    expect(recorder.handled).toEqual(['good@1', 'later@1']);
    expect(await bus.deadLetters()).toMatchObject([
      {
        ...{ group: 'posts', topic: postTopic.name, key: 'poison', partition: 0, offset: 0, attempts: 3 },
        error: expect.stringContaining('cannot digest this'),
        failedAt: expect.any(Date),
      },
    ]);
    const endOfTopic = await endOf(fixture, postTopic.name);

    // Like the command: a separate process, whose bus has the consumers and is never started.
    broken = false;
    const command = new KafkaBus({ config: fixture.config, logger });
    onTestEnd(() => command.stop());
    command.subscribe(recorder);
    expect(await command.replay('posts', 'another')).toMatchObject({ tried: 0 });
    expect(await command.replay('posts')).toMatchObject({ tried: 1, failed: 0 });
    expect(await command.deadLetters()).toEqual([]);
    expect(await command.replay('posts')).toMatchObject({ tried: 0 });
    expect(recorder.handled).toEqual(['good@1', 'later@1', 'poison@7']);
    expect(recorder.states.at(-1)).toMatchObject({ id: 'poison', version: 7 });
    expect(await endOf(fixture, postTopic.name)).toBe(endOfTopic);
  });

  it('becomes a dead letter also when it is as large as a record may be', async () => {
    const large = postEvent('large');
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (id === 'large') throw new Error('ü'.repeat(100_000));
      },
    });
    const bus = await fixture.bus([recorder], QUICK);
    // With its key, its attributes and the batch's own bytes it is just below what the brokers take.
    const authorId = 'x'.repeat(1024 * 1024 - 1_000);
    const payload = postTopic.codec.encode(aPost({ id: 'large', authorId }));
    await bus.publish([{ ...large, payload }, postEvent('good')]);
    await recorder.received(1);
    await drained(bus);
    expect(await bus.deadLetters()).toMatchObject([
      { key: 'large', error: expect.stringMatching('^Error: üü') },
    ]);
    expect(await bus.replay('posts')).toMatchObject({ tried: 1, failed: 1 });
    expect(await bus.deadLetters()).toMatchObject([{ key: 'large' }]);
  });

  it('is not committed while its dead letter cannot be written', async () => {
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (id === 'poison') throw new Error('poison');
      },
    });
    const bus = await fixture.bus([recorder], QUICK);
    await asAdmin(fixture.config, (admin) =>
      admin.deleteTopics({ topics: [`${fixture.config.KAFKA_PREFIX}${postTopic.name}.dlq`] }),
    );
    await bus.publish([postEvent('poison'), postEvent('good')]);
    await recorder.received(1);
    await until(() => recorder.attempts >= 3 + 1 + 2, { what: 'attempts after the last one' });
    expect(await bus.pending()).toBe(2);
    await createTopics({ config: fixture.config, logger, table: testTopics(1) });
    await drained(bus);
    expect(await bus.deadLetters()).toMatchObject([{ key: 'poison' }]);
  });

  it('may be a record that was not written by a bus', async () => {
    const recorder = new Recorder('posts');
    const bus = await fixture.bus([recorder], QUICK);
    const producer = createKafka(fixture.config, logger).producer();
    onTestEnd(() => producer.disconnect());
    await producer.connect();
    const { headers: _, ...bare } = toMessage(postEvent('bare'));
    await producer.send({ topic: fixture.config.KAFKA_PREFIX + postTopic.name, messages: [bare] });
    await bus.publish([postEvent('good')]);
    await recorder.received(1);
    await drained(bus);
    expect(recorder.handled).toEqual(['good@1']);
    expect(await bus.deadLetters()).toMatchObject([
      { key: 'bare', error: expect.stringContaining('no version') },
    ]);
    expect(await bus.replay('posts')).toMatchObject({ tried: 1, failed: 1 });
    expect(await bus.deadLetters()).toMatchObject([{ key: 'bare' }]);
    expect(recorder.handled).toEqual(['good@1']);
  });
});

describe('more dead letters than are kept in memory', () => {
  it('are listed and replayed page by page, in the order of their events', async () => {
    const fixture = await openKafkaHouse(1);
    let broken = true;
    const recorder = new Recorder('posts', {
      before: () => {
        if (broken) throw new Error('poison');
      },
    });
    const bus = await fixture.bus([recorder], QUICK);
    const ids = Array.from({ length: 7 }, (_, index) => `post-${index}`);
    await bus.publish(ids.map((id) => postEvent(id)));
    await drained(bus);
    const kafka = createKafka(fixture.config, logger);
    const publisher = new KafkaPublisher(kafka, logger);
    onTestEnd(() => publisher.close());
    const letters = new DeadLetters({
      ...{ kafka, publisher, prefix: fixture.config.KAFKA_PREFIX, clock: systemClock, logger },
      // The first one's record stays in memory; the others are read again, three at once.
      ...{ pageSize: 3, keptBytes: 1_500 },
    });
    const selection = { topics: [postTopic.name], groupOf: (_topic: string, name: string) => name };
    expect((await letters.list(selection)).map(({ key }) => key)).toEqual(ids);
    broken = false;
    const opened: string[] = [];
    for await (const letter of letters.open(selection)) {
      opened.push(letter.key);
      if (letter.key === 'post-2') await letters.resolve({ ...letter, event: postEvent('post-5') });
      await letters.resolve(letter);
    }
    expect(opened).toEqual(ids.filter((id) => id !== 'post-5'));
    expect(await letters.list(selection)).toEqual([]);
  });
});

describe('dead letters that retention removes while they are read', () => {
  it('do not block the reader', async () => {
    const fixture = await openKafkaHouse(1);
    const recorder = new Recorder('posts', {
      before: () => {
        throw new Error('poison');
      },
    });
    const bus = await fixture.bus([recorder], QUICK);
    await bus.publish([postEvent('a')]);
    await drained(bus);
    const kafka = createKafka(fixture.config, logger);
    const topic = `${fixture.config.KAFKA_PREFIX}${postTopic.name}.dlq`;
    let asked = 0;
    const letters = new DeadLetters({
      kafka: {
        consumer: (options) => kafka.consumer(options),
        admin: () => {
          const admin = kafka.admin();
          const fetchTopicOffsets = async (name: string) => {
            const offsets = await admin.fetchTopicOffsets(name);
            asked += 1;
            if (asked === 1)
              await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '-1' }] });
            return offsets;
          };
          return { ...admin, fetchTopicOffsets };
        },
      },
      publisher: new KafkaPublisher(kafka, logger),
      prefix: fixture.config.KAFKA_PREFIX,
      clock: systemClock,
      logger,
    });
    expect(await letters.list({ topics: [postTopic.name], groupOf: (_topic, name) => name })).toEqual([]);
    expect(asked).toBeGreaterThan(1);
  });
});

async function endOf(fixture: Fixture, topic: string): Promise<string> {
  const offsets = await asAdmin(fixture.config, (admin) =>
    admin.fetchTopicOffsets(fixture.config.KAFKA_PREFIX + topic),
  );
  return offsets.map(({ high }) => high).join();
}
