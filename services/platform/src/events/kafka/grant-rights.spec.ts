import kafkajs, { type AclEntry } from 'kafkajs';
import { grant, type KafkaUse, rightsOf } from './grant-rights.js';

const { AclOperationTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

const use: KafkaUse = {
  name: 'posts',
  publishes: ['pulso.posts.post.v1'],
  consumes: ['pulso.identity.user.v1'],
  formerGroups: ['posts-of-old'],
};
const nameIn = (names: object, value: number) =>
  Object.entries(names).find(([, each]) => each === value)?.[0] ?? '';
const lineOf = ({ resourceType, resourcePatternType, resourceName, operation, principal }: AclEntry) =>
  [
    principal,
    nameIn(AclOperationTypes, operation),
    nameIn(AclResourceTypes, resourceType),
    nameIn(ResourcePatternTypes, resourcePatternType),
    resourceName,
  ].join(' ');

describe('the rights of a service on the brokers', () => {
  it('are those of its topics, its dead letters and its groups, and no others', () => {
    expect(rightsOf(use, 'p.').map(lineOf).toSorted()).toEqual([
      'User:posts DELETE GROUP PREFIXED p.dead-letter-reader-',
      'User:posts DESCRIBE GROUP LITERAL p.posts-of-old',
      'User:posts READ GROUP PREFIXED p.dead-letter-reader-',
      'User:posts READ GROUP PREFIXED p.posts.',
      'User:posts READ TOPIC LITERAL p.pulso.identity.user.v1',
      'User:posts READ TOPIC LITERAL p.pulso.identity.user.v1.dlq',
      'User:posts WRITE TOPIC LITERAL p.pulso.identity.user.v1.dlq',
      'User:posts WRITE TOPIC LITERAL p.pulso.posts.post.v1',
    ]);
  });

  it('are given in one request, whose refusal by brokers without an authorizer is explained', async () => {
    const asked: AclEntry[][] = [];
    const createAcls = async ({ acl }: { acl: AclEntry[] }) => asked.push(acl) > 0;
    expect(await grant({ createAcls }, use, '')).toBe('User:posts has 8 rights');
    expect(asked).toEqual([rightsOf(use, '')]);
    const refuse = (type: string) => () => Promise.reject(Object.assign(new Error(type), { type }));
    await expect(grant({ createAcls: refuse('SECURITY_DISABLED') }, use, '')).rejects.toThrow(
      'KAFKA_BROKERS: the brokers there have no authorizer',
    );
    await expect(grant({ createAcls: refuse('CLUSTER_AUTHORIZATION_FAILED') }, use, '')).rejects.toThrow(
      'CLUSTER_AUTHORIZATION_FAILED',
    );
  });
});
