import { postEvent, Recorder } from '../../test/events/recorder.js';
import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { invokeConsumer } from './invoke-consumer.js';
import { isTransient } from './retry-policy.js';

describe('a handler that hangs', () => {
  it('is given up as an overrun, and what it does later is logged', async () => {
    const held = gate('the handler to be let go');
    const recorder = new Recorder('posts', {
      async before() {
        await held.opened;
        throw new Error('the store came back');
      },
    });
    const warnings: object[] = [];
    const logger = { warn: (about: object) => void warnings.push(about) } as never;
    const event = postEvent('a');
    const error: unknown = await invokeConsumer(recorder, event, { logger, limitMs: 1 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ message: 'the handler of posts took longer than 1 ms' });
    expect([isTransient(error, 12), isTransient(error, 13)]).toEqual([true, false]);
    held.open();
    await until(() => warnings.length > 0, { what: 'a line about the late failure' });
    expect(warnings).toEqual([
      { group: 'posts', topic: event.topic, event: event.id, err: new Error('the store came back') },
    ]);
  });
});
