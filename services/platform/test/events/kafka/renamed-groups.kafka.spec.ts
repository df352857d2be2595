import { postTopic } from '@pulso/contracts/topics/posts';
import { drainEvents } from '../../../src/events/outbox/drain-events.js';
import type { EventBus } from '../../../src/events/event-bus.js';
import { copyFormerOffsets } from '../../../src/events/kafka/copy-former-offsets.js';
import { QUICK } from '../bus-fixture.js';
import { postEvent, Recorder } from '../recorder.js';
import { logger, openKafkaHouse } from './kafka-fixture.js';

const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });
const RENAMED = [{ group: 'feed.post', topic: postTopic.name, formerGroups: ['feed.posts', 'feed'] }];

describe('a rollout that renames a group', () => {
  it('lets the new group begin where the former one stands, which goes on', async () => {
    const fixture = await openKafkaHouse(3);
    const before = new Recorder('feed.posts');
    const old = await fixture.bus([before]);
    await old.publish(Array.from({ length: 30 }, (_, index) => postEvent(`before-${index}`)));
    await drained(old);

    const prefix = fixture.config.KAFKA_PREFIX;
    const copy = () => copyFormerOffsets({ config: fixture.config, logger, renamed: RENAMED });
    expect(await copy()).toEqual([
      `${prefix}feed.post begins on ${prefix}${postTopic.name} where ${prefix}feed.posts stands`,
    ]);
    expect(await copy()).toEqual([]);

    // Published after the copy, and handled by the old replica, too.
    await old.publish([postEvent('meanwhile')]);
    await drained(old);
    expect(before.handled).toHaveLength(31);
    await old.stop();
    // Without its former names the group has nothing but the copied position.
    const after = new Recorder('feed.post');
    const bus = await fixture.bus([after]);
    await drained(bus);
    expect(after.handled).toEqual(['meanwhile@1']);
  });

  it('lets the new group begin there also when the copy did not run, and replay what the former one gave up', async () => {
    const fixture = await openKafkaHouse(3);
    let broken = true;
    const before = ({ id }: { id: string }) => {
      if (broken && id === 'bad') throw new Error('cannot digest this');
    };
    const old = await fixture.bus([new Recorder('feed', { before })], QUICK);
    await old.publish([
      ...Array.from({ length: 9 }, (_, index) => postEvent(`before-${index}`)),
      postEvent('bad'),
    ]);
    await drained(old);
    await old.stop();
    await (await fixture.bus([])).publish([postEvent('outstanding')]);

    broken = false;
    const renamed = new Recorder('feed.post', { before, formerGroups: ['feed.posts', 'feed'] });
    const bus = await fixture.bus([renamed], QUICK);
    await drained(bus);
    expect(renamed.handled).toEqual(['outstanding@1']);
    expect(await bus.deadLetters()).toMatchObject([{ group: 'feed.post', key: 'bad' }]);
    expect(await bus.replay('feed.post')).toMatchObject({ tried: 1, failed: 0 });
    expect(renamed.handled).toEqual(['outstanding@1', 'bad@1']);
    expect(await bus.deadLetters()).toEqual([]);
    await bus.stop();
    const restarted = new Recorder('feed.post', { formerGroups: ['feed.posts', 'feed'] });
    await drained(await fixture.bus([restarted]));
    expect(restarted.handled).toEqual([]);
  });
});
