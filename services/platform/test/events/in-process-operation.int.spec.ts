import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { republish } from '../../src/events/republish.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { gate } from '../../testing/gate.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';
import { drained, inProcessHouse } from './in-process-house.js';
import { aPost, postEvent, Recorder, tokenOf } from './recorder.js';

const house = inProcessHouse();

describe('the operation of the in-process bus', () => {
  beforeEach(() => house.empty());

  it('lets another process operate on it that does not start a bus', async () => {
    let poisonous = true;
    const poison = ({ id }: { id: string }) => {
      if (id === 'bad' && poisonous) throw new Error('poison');
    };
    const running = await house.start([new Recorder('posts', { before: poison })], {
      retry: { attempts: 1 },
      pollMs: 1,
    });
    await running.publish([postEvent('bad'), postEvent('good')]);
    await drained(running);

    const mended = new Recorder('posts', { before: poison });
    const operator = house.anOperator();
    operator.subscribe(mended);
    expect(await operator.replay('posts')).toMatchObject({ tried: 1, failed: 1 });
    // The letter is the same one: its age does not begin again.
    expect(await operator.deadLetters()).toEqual(await running.deadLetters());
    expect(await operator.deadLetters()).toMatchObject([{ key: 'bad', attempts: 1 }]);
    poisonous = false;
    expect(await operator.replay('posts')).toMatchObject({ tried: 1, failed: 0 });
    expect([mended.handled, await running.deadLetters()]).toEqual([['bad@1'], []]);

    await operator.publish([postEvent('later')]);
    await drained(running);
    expect(mended.handled).toEqual(['bad@1']);
  });

  it('redelivers to a handler that takes longer than a transaction may idle', async () => {
    const pool = new Pool({ ...house.pool.options, idle_in_transaction_session_timeout: 50 });
    onTestEnd(() => pool.end());
    const lost: Error[] = [];
    pool.on('error', (error) => lost.push(error));
    let isSlow = false;
    const slow = new Recorder('posts', {
      before: async () => {
        if (!isSlow) throw new Error('poison');
        await delay(300);
      },
    });
    const running = await house.start([slow], { pool, retry: { attempts: 1 } });
    await running.publish([postEvent('a')]);
    await drained(running);
    isSlow = true;
    expect(await running.replay('posts')).toMatchObject({ tried: 1, failed: 0 });
    expect([await running.deadLetters(), lost]).toEqual([[], []]);
  });

  it('makes the republication of another process wait until its projections have handled the start', async () => {
    const held = gate('the start marker to be let go');
    const begun: string[] = [];
    const projection = Object.assign(new Recorder('projection'), {
      republishStarted: async () => {
        await held.opened;
        begun.push('start');
      },
    });
    const running = await house.start([projection, new Recorder('mail', { reaction: true })], { pollMs: 1 });
    const operator = house.anOperator();
    const read = async function* () {
      begun.push('read');
      yield aPost({ id: 'a', version: 1 });
    };
    const republished = republish({ topic: postTopic, states: read(), bus: operator });
    await until(async () => (await running.pending()) > 0, { what: 'the start marker in the bus' });
    expect(begun).toEqual([]);
    held.open();
    expect(await republished).toBe(1);
    await drained(running);
    expect([begun, projection.handled]).toEqual([['start', 'read'], ['a@1']]);
    await running.stop();
    expect(await operator.delivered([tokenOf(postEvent('never'))], 5)).toBe(false);
  });

  it('ends a replay while its group is busy and stops', async () => {
    const held = gate('the slow handler to be let go');
    const busy = gate('the slow handler to start');
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (id === 'poison') throw new Error('poison');
        busy.open();
        return held.opened;
      },
    });
    const bus = await house.start([recorder], { retry: { attempts: 1 }, concurrency: 1 });
    await bus.publish([postEvent('poison')]);
    await drained(bus);
    await bus.publish([postEvent('slow')]);
    await busy.opened;
    const replaying = bus.replay('posts');
    const stopping = bus.stop();
    expect(await replaying).toMatchObject({ tried: 1, failed: 1 });
    held.open();
    await stopping;
    expect(await bus.deadLetters()).toMatchObject([{ key: 'poison' }]);
  });

  it('delivers a dead letter once when two processes replay it at the same time', async () => {
    let poisonous = true;
    const poison = () => {
      if (poisonous) throw new Error('poison');
    };
    const running = await house.start([new Recorder('posts', { before: poison })], {
      retry: { attempts: 1 },
    });
    await running.publish([postEvent('a')]);
    await drained(running);
    poisonous = false;
    const held = gate('the first replay to be let go');
    const begun = gate('the first replay to begin');
    const slow = new Recorder('posts', {
      before: () => {
        begun.open();
        return held.opened;
      },
    });
    const [first, second] = [house.anOperator(), house.anOperator()];
    first.subscribe(slow);
    second.subscribe(new Recorder('posts'));
    const replaying = first.replay('posts');
    await begun.opened;
    expect(await second.replay('posts')).toEqual({ tried: 0, failed: 0, named: [] });
    held.open();
    expect(await replaying).toEqual({ tried: 1, failed: 0, named: [] });
    expect(await running.deadLetters()).toEqual([]);
  });

  it('replays more dead letters than it reads at once', async () => {
    let poisonous = true;
    const recorder = new Recorder('posts', {
      before: () => {
        if (poisonous) throw new Error('poison');
      },
    });
    const bus = await house.start([recorder], { retry: { attempts: 1 } });
    await bus.publish(Array.from({ length: 501 }, (_, index) => postEvent(`post-${index}`)));
    await drained(bus);
    poisonous = false;
    expect(await bus.replay('posts')).toEqual({ tried: 501, failed: 0, named: [] });
    expect([recorder.handled.length, await bus.deadLetters()]).toEqual([501, []]);
  });
});
