import { rpcContracts, SERVICE_NAMES } from '@pulso/contracts/rpc';
import { TOPICS } from '@pulso/contracts/topics/all';
import { ownerOf } from '@pulso/contracts/topics/topic';
import { deadLetterPlan, topicPlan } from '@pulso/platform/events/kafka/topic-table';
import { SERVICES } from './services.js';

describe('the registry', () => {
  it('has every service under its name, with its rpc contract', () => {
    for (const name of SERVICE_NAMES) {
      expect(SERVICES[name].name).toBe(name);
      expect(SERVICES[name].rpc.name).toBe(rpcContracts[name].name);
      expect(SERVICES[name].rpc.reads).toEqual(rpcContracts[name].reads);
    }
  });

  it('has an owner for each topic of its services, and no topic twice', () => {
    const owned = Object.values(SERVICES).flatMap(({ owns }) => owns.map(({ name }) => name));
    const declared = TOPICS.filter((topic) => Object.hasOwn(SERVICES, ownerOf(topic)));
    expect(owned.toSorted()).toEqual(declared.map(({ name }) => name).toSorted());
    expect(new Set(owned).size).toBe(owned.length);
  });

  it('keeps every topic for 7 days, and its dead letters longer', () => {
    for (const plan of TOPICS.map(topicPlan)) {
      expect(plan.retentionMs).toBe(7 * 86_400_000);
      expect(deadLetterPlan(plan)).toMatchObject({ name: `${plan.name}.dlq`, partitions: 1 });
      expect(deadLetterPlan(plan).retentionMs).toBeGreaterThan(plan.retentionMs);
    }
  });
});
