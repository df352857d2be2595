import type { Kafka, Producer, ProducerBatch, ProducerConfig, RecordMetadata } from 'kafkajs';
import { pino } from 'pino';
import { gate } from '../../../testing/gate.js';
import { until } from '../../../testing/until.js';
import { EventTooLarge, TopicUnavailable } from '../publish-errors.js';
import { KafkaPublisher, MessagesFailed, type OutgoingMessage } from './kafka-publisher.js';

const PARTITIONS = [0, 1, 2].map((partitionId) => {
  return { partitionId, partitionErrorCode: 0, leader: 1, replicas: [1], isr: [1] };
});

const message = (value: string, partition = 0, topic = 'fruit'): OutgoingMessage => {
  return { topic, message: { key: 'key', value, partition } };
};

interface Request {
  producer: number;
  topic: string;
  values: string[];
}
type Answer = (confirmed: RecordMetadata[], request: Request) => RecordMetadata[] | Error;
const confirm: Answer = (confirmed) => confirmed;

/** What kafkajs rejects with: the broker's answer, or a wrapped one. */
const tooLarge = () =>
  new Error('wrapped', { cause: Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }) });

/** Confirms messages of one letter. */
const shortOnes: Answer = (confirmed, { values }) =>
  values.some((value) => value.length > 1) ? tooLarge() : confirmed;

/** A fake of the brokers: records requests by producer, and answers each when the test says so. */
class Brokers {
  readonly requests: Request[] = [];
  readonly disconnected: number[] = [];
  /** Answers a request at once. Without it the test answers. */
  atOnce: (request: Request) => Answer | undefined = () => undefined;
  connect: (producer: number) => Promise<void> = async () => undefined;
  /** Runs a producer's attempt again, as kafkajs does. */
  readonly retries: (() => void)[] = [];
  private readonly answers: { topic: string; give(answer: Answer): void }[] = [];
  private producers = 0;

  readonly kafka = { producer: (config: ProducerConfig) => this.producer(config) } as Pick<Kafka, 'producer'>;

  /** Answers the next request, or the topic's next one. */
  async answer(answer: Answer, topic?: string): Promise<void> {
    const isMeant = (each: { topic: string }) => topic === undefined || each.topic === topic;
    await until(() => this.answers.some(isMeant), { what: `a request for ${topic ?? 'any topic'}` });
    const [next] = this.answers.splice(this.answers.findIndex(isMeant), 1);
    next!.give(answer);
  }

  private producer(config: ProducerConfig): Producer {
    const number = (this.producers += 1);
    const partitionOf = config.createPartitioner!();
    const sendBatch = ({ topicMessages = [] }: ProducerBatch) => {
      const [{ topic, messages }, ...others] = topicMessages as [(typeof topicMessages)[0]];
      expect(others).toEqual([]);
      const attempt = () =>
        messages.map((sent) => partitionOf({ topic, partitionMetadata: PARTITIONS, message: sent }));
      const places = attempt();
      this.retries.push(attempt);
      const request = { producer: number, topic, values: messages.map(({ value }) => String(value)) };
      this.requests.push(request);
      const confirmed = [...new Set(places)].map((partition) => {
        return { topicName: topic, partition, errorCode: 0 };
      });
      return new Promise<RecordMetadata[]>((resolve, reject) => {
        const give = (answer: Answer) => {
          const answered = answer(confirmed, request);
          if (answered instanceof Error) reject(answered);
          else resolve(answered);
        };
        const answer = this.atOnce(request);
        if (answer) give(answer);
        else this.answers.push({ topic, give });
      });
    };
    const disconnect = async () => void this.disconnected.push(number);
    return { connect: () => this.connect(number), disconnect, sendBatch } as unknown as Producer;
  }
}

/** The values of the messages that failed, with the names of their errors. */
async function failuresOf(published: Promise<void>): Promise<string[]> {
  const error = await published.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MessagesFailed);
  return (error as MessagesFailed).failures.map(
    ({ message, error: { name } }) => `${String(message.message.value)} ${name}`,
  );
}

describe('KafkaPublisher', () => {
  const open = (requestMs?: number) => {
    const brokers = new Brokers();
    return { brokers, publisher: new KafkaPublisher(brokers.kafka, pino({ level: 'silent' }), requestMs) };
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
    expect(brokers.requests).toEqual([{ producer: 1, topic: 'fruit', values: ['a'] }]);
    expect(brokers.disconnected).toEqual([1]);
    const again = publisher.publish([message('a')]);
    await brokers.answer(confirm);
    await again;
    expect(brokers.requests.at(-1)).toEqual({ producer: 2, topic: 'fruit', values: ['a'] });
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

  it('publishes the other topics while one of them hangs or fails, and names only its messages', async () => {
    const { brokers, publisher } = open();
    const both = failuresOf(publisher.publish([message('a'), message('b', 0, 'nuts'), message('c')]));
    await brokers.answer(confirm, 'nuts');
    const other = publisher.publish([message('d', 0, 'nuts')]);
    await brokers.answer(confirm, 'nuts');
    await other;
    await brokers.answer(() => new Error('no leader'), 'fruit');
    expect(await both).toEqual([`a ${TopicUnavailable.name}`, `c ${TopicUnavailable.name}`]);
    expect(brokers.requests.map(({ topic, values }) => [topic, ...values])).toEqual([
      ['fruit', 'a', 'c'],
      ['nuts', 'b'],
      ['nuts', 'd'],
    ]);
    expect(brokers.disconnected).toHaveLength(1);
  });

  it('sends all messages but those that are too large for the brokers', async () => {
    const { brokers, publisher } = open();
    const values = ['a', 'b', 'large', 'c', 'd', 'vast', 'e'];
    const arrived: string[] = [];
    brokers.atOnce = () => (confirmed, request) => {
      const answer = shortOnes(confirmed, request);
      if (!(answer instanceof Error)) arrived.push(...request.values);
      return answer;
    };
    const failed = failuresOf(publisher.publish(values.map((value) => message(value))));
    expect(await failed).toEqual([`large ${EventTooLarge.name}`, `vast ${EventTooLarge.name}`]);
    expect(arrived).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('fails what follows a message that is too large, if the topic fails then', async () => {
    const { brokers, publisher } = open();
    const failed = failuresOf(publisher.publish(['a', 'large', 'b', 'c'].map((value) => message(value))));
    for (let request = 0; request < 4; request += 1) await brokers.answer(shortOnes);
    await brokers.answer(() => new Error('no leader'));
    expect(await failed).toEqual([
      `large ${EventTooLarge.name}`,
      `b ${TopicUnavailable.name}`,
      `c ${TopicUnavailable.name}`,
    ]);
  });

  it('keeps the order of a topic when a request fails', async () => {
    const { brokers, publisher } = open();
    const first = failuresOf(publisher.publish([message('a1')]));
    const second = failuresOf(publisher.publish([message('a2')]));
    await brokers.answer(() => new Error('no leader'));
    expect([await first, await second]).toEqual([
      [`a1 ${TopicUnavailable.name}`],
      [`a2 ${TopicUnavailable.name}`],
    ]);
    const third = publisher.publish([message('a3')]);
    await brokers.answer(confirm);
    await third;
    expect(brokers.requests.map(({ values }) => values)).toEqual([['a1'], ['a3']]);
  });

  it('gives up a request that gets no answer, and lets it send nothing more', async () => {
    const { brokers, publisher } = open(100);
    expect(await failuresOf(publisher.publish([message('a')]))).toEqual([`a ${TopicUnavailable.name}`]);
    const [retry] = brokers.retries;
    expect(retry).toThrow('the request was given up');
    brokers.atOnce = () => confirm;
    await publisher.publish([message('b')]);
    await brokers.answer(() => new Error('too late'));
    expect(brokers.requests.map(({ producer, values }) => [producer, ...values])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    // Once more after the late end: the client may have connected again.
    await until(() => brokers.disconnected.length === 2, { what: 'the second end of the connection' });
    expect(brokers.disconnected).toEqual([1, 1]);
  });

  it('gives up a connection that is not made, and sends nothing on it later', async () => {
    const { brokers, publisher } = open(20);
    const connects = gate('the late connection');
    brokers.connect = (producer) => (producer === 1 ? connects.opened : Promise.resolve());
    expect(await failuresOf(publisher.publish([message('a')]))).toEqual([`a ${TopicUnavailable.name}`]);
    connects.open();
    await until(() => brokers.disconnected.length === 2, { what: 'the end of the late connection' });
    expect(brokers.requests).toEqual([]);
  });

  it('connects no producer before there is something to send, and closes those of all topics', async () => {
    const { brokers, publisher } = open();
    await publisher.publish([]);
    const published = publisher.publish([message('a'), message('b', 0, 'nuts')]);
    await brokers.answer(confirm);
    await brokers.answer(confirm);
    await published;
    await publisher.close();
    expect(new Set(brokers.disconnected)).toEqual(new Set([1, 2]));
  });
});
