import type { Kafka, Producer, ProducerBatch, ProducerConfig, RecordMetadata } from 'kafkajs';
import { pino } from 'pino';
import { until } from '../../../testing/until.js';
import { KafkaPublisher, type OutgoingMessage } from './kafka-publisher.js';

const PARTITIONS = [0, 1, 2].map((partitionId) => {
  return { partitionId, partitionErrorCode: 0, leader: 1, replicas: [1], isr: [1] };
});

const message = (value: string, partition = 0): OutgoingMessage => {
  return { topic: 'fruit', message: { key: 'key', value, partition } };
};

type Answer = (confirmed: RecordMetadata[]) => RecordMetadata[] | Error;
const confirm: Answer = (confirmed) => confirmed;

/** A fake of the brokers: records requests by producer, and answers each when the test says so. */
class Brokers {
  readonly requests: { producer: number; values: string[] }[] = [];
  readonly disconnected: number[] = [];
  private readonly answers: ((answer: Answer) => void)[] = [];
  private producers = 0;

  readonly kafka = { producer: (config: ProducerConfig) => this.producer(config) } as Pick<Kafka, 'producer'>;

  async answer(answer: Answer): Promise<void> {
    const next = await until(() => this.answers.shift(), { what: 'a request to the brokers' });
    next(answer);
  }

  private producer(config: ProducerConfig): Producer {
    const number = (this.producers += 1);
    const partitionOf = config.createPartitioner!();
    const sendBatch = ({ topicMessages = [] }: ProducerBatch) => {
      const messages = topicMessages.flatMap(({ messages }) => messages);
      const places = messages.map((sent) =>
        partitionOf({ topic: 'fruit', partitionMetadata: PARTITIONS, message: sent }),
      );
      this.requests.push({ producer: number, values: messages.map(({ value }) => String(value)) });
      const confirmed = [...new Set(places)].map((partition) => ({
        topicName: 'fruit',
        partition,
        errorCode: 0,
      }));
      return new Promise<RecordMetadata[]>((resolve, reject) => {
        this.answers.push((answer) => {
          const answered = answer(confirmed);
          if (answered instanceof Error) reject(answered);
          else resolve(answered);
        });
      });
    };
    const disconnect = async () => void this.disconnected.push(number);
    return { connect: async () => undefined, disconnect, sendBatch } as unknown as Producer;
  }
}

describe('KafkaPublisher', () => {
  const open = () => {
    const brokers = new Brokers();
    return { brokers, publisher: new KafkaPublisher(brokers.kafka, pino({ level: 'silent' })) };
  };

  it('runs one request at a time, and sends the messages added meanwhile with the next one, in order', async () => {
    const { brokers, publisher } = open();
    const published = ['a', 'b', 'c'].map((value) => publisher.publish([message(value)]));
    await brokers.answer(confirm);
    await published[0];
    await brokers.answer(confirm);
    await Promise.all(published);
    expect(brokers.requests.map(({ values }) => values).flat()).toEqual(['a', 'b', 'c']);
    expect(brokers.requests.map(({ producer }) => producer)).toEqual(brokers.requests.map(() => 1));
  });

  it('replaces the producer after a failure, and fails the waiting messages', async () => {
    const { brokers, publisher } = open();
    const failed = publisher.publish([message('a')]);
    const behind = publisher.publish([message('b')]);
    const outcomes = Promise.allSettled([failed, behind]);
    await brokers.answer(() => new Error('the broker is away'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(brokers.requests).toEqual([{ producer: 1, values: ['a'] }]);
    expect(brokers.disconnected).toEqual([1]);
    const again = publisher.publish([message('a')]);
    await brokers.answer(confirm);
    await again;
    expect(brokers.requests.at(-1)).toEqual({ producer: 2, values: ['a'] });
  });

  it('rejects if a partition has not confirmed its messages', async () => {
    const { brokers, publisher } = open();
    const published = publisher.publish([message('a', 0), message('b', 2)]);
    const refused = expect(published).rejects.toThrow('Kafka did not confirm fruit/2');
    await brokers.answer((confirmed) => confirmed.filter(({ partition }) => partition === 0));
    await refused;
  });

  it('keeps requests within the limit of the brokers', async () => {
    const { brokers, publisher } = open();
    const large = 'x'.repeat(200_000);
    const published = publisher.publish(Array.from({ length: 5 }, () => message(large)));
    for (let request = 0; request < 3; request += 1) await brokers.answer(confirm);
    await published;
    expect(brokers.requests.map(({ values }) => values.length)).toEqual([2, 2, 1]);
  });

  it('sends the waiting messages before it closes, and then accepts no more', async () => {
    const { brokers, publisher } = open();
    const published = publisher.publish([message('a')]);
    const closed = publisher.close();
    await brokers.answer(confirm);
    await Promise.all([published, closed]);
    expect(brokers.disconnected).toEqual([1]);
    await expect(publisher.publish([message('b')])).rejects.toThrow('has been stopped');
  });
});
