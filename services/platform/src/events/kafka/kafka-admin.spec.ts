import type { Admin, Kafka } from 'kafkajs';
import { gate } from '../../../testing/gate.js';
import { createLogger } from '../../logging/logger.js';
import { KafkaAdmin } from './kafka-admin.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Brokers that answer each new connection with the next of `answers`. */
function adminOf(answers: (Error | { partition: number; low: string; high: string }[])[]) {
  let connections = 0;
  const kafka = {
    admin: () => {
      const answer = answers[connections]!;
      connections += 1;
      return {
        connect: async () => undefined,
        disconnect: async () => undefined,
        fetchOffsets: async () => [{ partitions: [{ partition: 0, offset: '-1' }] }],
        fetchTopicOffsets: async () => {
          if (answer instanceof Error) throw answer;
          return answer;
        },
      } as unknown as Admin;
    },
  } as unknown as Kafka;
  return { admin: new KafkaAdmin(kafka, logger), connections: () => connections };
}

const refusal = (type: string) => Object.assign(new Error(type), { type });

describe('a question about partitions', () => {
  it('is asked again on a new connection while they have no leader', async () => {
    const { admin, connections } = adminOf([
      refusal('NOT_LEADER_FOR_PARTITION'),
      refusal('LEADER_NOT_AVAILABLE'),
      [{ partition: 0, low: '3', high: '7' }],
    ]);
    expect(await admin.positions('group', 'topic')).toEqual([{ first: 3, end: 7, committed: undefined }]);
    expect(connections()).toBe(3);
  });

  it('fails at once for another reason', async () => {
    const { admin, connections } = adminOf([refusal('TOPIC_AUTHORIZATION_FAILED'), []]);
    await expect(admin.positions('group', 'topic')).rejects.toThrow('TOPIC_AUTHORIZATION_FAILED');
    expect(connections()).toBe(1);
  });

  it('is asked again when another one has closed the connections that it used', async () => {
    const asking = gate('a question about another topic');
    const connections: string[] = [];
    const kafka = {
      admin: () => {
        const disconnected = gate('the end of the connections');
        connections.push('new');
        const isFirst = connections.length === 1;
        return {
          connect: async () => undefined,
          disconnect: async () => disconnected.open(),
          fetchOffsets: async () => [{ partitions: [] }],
          fetchTopicOffsets: async (topic: string) => {
            if (!isFirst) return [{ partition: 0, low: '3', high: '7' }];
            if (topic === 'new') await asking.opened;
            if (topic === 'new') throw refusal('LEADER_NOT_AVAILABLE');
            asking.open();
            await disconnected.opened;
            throw new Error('Topic metadata not loaded');
          },
        } as unknown as Admin;
      },
    } as unknown as Kafka;
    const admin = new KafkaAdmin(kafka, logger);
    const positions = [{ first: 3, end: 7, committed: undefined }];
    const asked = [admin.positions('group', 'new'), admin.positions('group', 'old')];
    expect(await Promise.all(asked)).toEqual([positions, positions]);
    expect(connections).toHaveLength(2);
  });

  it('fails when the bus is closed meanwhile', async () => {
    const { admin, connections } = adminOf([refusal('LEADER_NOT_AVAILABLE'), []]);
    const asked = admin.positions('group', 'topic');
    const closed = admin.close();
    await expect(asked).rejects.toThrow('LEADER_NOT_AVAILABLE');
    await closed;
    expect(connections()).toBe(1);
  });
});

describe('the lag of groups', () => {
  it('is read with one question a group and one a topic, the ends of topics last', async () => {
    const asked: string[] = [];
    const committed: Record<string, string> = { a: '3', b: '-1' };
    const kafka = {
      admin: () =>
        ({
          connect: async () => undefined,
          disconnect: async () => undefined,
          fetchOffsets: async ({ groupId, topics }: { groupId: string; topics: string[] }) => {
            asked.push(`commits of ${groupId}`);
            return topics.map((topic) => {
              return { topic, partitions: [{ partition: 0, offset: committed[groupId], metadata: null }] };
            });
          },
          fetchTopicOffsets: async (topic: string) => {
            asked.push(`ends of ${topic}`);
            return [{ partition: 0, offset: '7', low: '2', high: '7' }];
          },
        }) as unknown as Admin,
    } as unknown as Kafka;
    const lags = await new KafkaAdmin(kafka, logger).lag([
      { group: 'a', topics: ['users', 'posts'] },
      { group: 'b', topics: ['users'] },
    ]);
    expect(lags).toEqual([
      { group: 'a', topic: 'users', count: 4 },
      { group: 'a', topic: 'posts', count: 4 },
      { group: 'b', topic: 'users', count: 5 },
    ]);
    expect(asked).toEqual(['commits of a', 'commits of b', 'ends of users', 'ends of posts']);
  });
});
