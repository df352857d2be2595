import { postTopic } from '@pulso/contracts/topics/posts';
import { aLog, skippedIn } from '../logged.js';
import { postEvent, Recorder } from '../recorder.js';
import { asAdmin, openKafkaHouse } from './kafka-fixture.js';

describe('a reaction whose group the brokers have forgotten', () => {
  it('misses nothing that came after its first start, and says at that start alone what it skips', async () => {
    const { logger, lines } = aLog();
    const fixture = await openKafkaHouse(2, { logger });
    const aReaction = () => new Recorder('mail', { reaction: true });
    const publisher = await fixture.bus([]);
    await publisher.publish(['a', 'b', 'c', 'd'].map((id) => postEvent(`before-${id}`)));
    const first = aReaction();
    const before = await fixture.bus([first]);
    await publisher.publish([postEvent('handled')]);
    await first.received(1);
    await before.stop();
    await publisher.publish([postEvent('while-down')]);
    await asAdmin(fixture.config, (admin) => admin.deleteGroups([`${fixture.config.KAFKA_PREFIX}mail`]));
    const second = aReaction();
    await fixture.bus([second]);
    await second.received(2);
    expect(second.handled.toSorted()).toEqual(['handled@1', 'while-down@1']);
    expect(skippedIn(lines)).toEqual([{ group: 'mail', topic: postTopic.name, skipped: 4 }]);
  });
});
