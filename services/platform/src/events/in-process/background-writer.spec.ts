import { createLogger } from '../../logging/logger.js';
import { until } from '../../../testing/until.js';
import { BackgroundWriter } from './background-writer.js';
import type { StoredDelivery } from './stored-delivery.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const aDelivery = (seq: string): StoredDelivery => ({
  seq,
  group: 'group',
  attempts: 0,
  event: {
    id: seq,
    topic: 'topic',
    key: 'key',
    version: 1,
    payload: new Uint8Array(),
    headers: {},
    republished: false,
  },
});

describe('BackgroundWriter', () => {
  it('writes an acknowledgement that is added when the last write has just ended', async () => {
    const written: string[] = [];
    const acknowledgements = new BackgroundWriter<StoredDelivery>({
      write: async () => {},
      written: (deliveries) => {
        written.push(...deliveries.map(({ seq }) => seq));
        if (written.length === 1) queueMicrotask(() => acknowledgements.add(aDelivery('2')));
      },
      failure: 'acknowledging failed',
      logger,
    });
    acknowledgements.add(aDelivery('1'));
    await until(() => written.length === 2, { what: () => `both to be written, not only ${written.join()}` });
    expect(written).toEqual(['1', '2']);
  });

  it('collects acknowledgements during a write, and closes when they are written', async () => {
    const batches: string[][] = [];
    const acknowledgements = new BackgroundWriter<StoredDelivery>({
      write: async (deliveries) => void batches.push(deliveries.map(({ seq }) => seq)),
      written: () => {},
      failure: 'acknowledging failed',
      logger,
    });
    for (const seq of ['1', '2', '3']) acknowledgements.add(aDelivery(seq));
    await acknowledgements.close();
    expect(batches).toEqual([['1'], ['2', '3']]);
  });

  it('gives up closing after one failure', async () => {
    let attempts = 0;
    const acknowledgements = new BackgroundWriter<StoredDelivery>({
      write: async () => {
        attempts += 1;
        throw new Error('store is down');
      },
      written: () => {},
      failure: 'acknowledging failed',
      logger,
    });
    acknowledgements.add(aDelivery('1'));
    await acknowledgements.close();
    expect(attempts).toBe(1);
  });
});
