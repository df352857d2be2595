import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { entityOf, ownerOf, type Topic } from '@pulso/contracts/topics/topic';
import type { ServiceDefinition } from '@pulso/platform/service/define-service';
import { SERVICES } from './services.js';
import { stepsAfterRestore, TAKES } from './steps-after-restore.js';

/** In place of whatever a projection injects: its constructor calls nothing of it. */
const anything: unknown = new Proxy(function () {}, { get: () => anything, apply: () => anything });

/** The topic that a projection's constructor names. */
function topicOf(part: ServiceDefinition['projections'][number]): Topic<unknown> {
  return new part(...Array.from({ length: part.length || 8 }, () => anything)).topic;
}

const shown = (service: ServiceName) =>
  stepsAfterRestore(service).map((step) =>
    'awaits' in step ? `await ${step.awaits}` : [step.service, ...step.command].join(' '),
  );

describe('the steps after a restore', () => {
  it.each(SERVICE_NAMES)('bring %s all that it projects of others', (name) => {
    const { projections, eraser } = SERVICES[name];
    const projected = [...projections.map(topicOf), ...(eraser ? [erasureTopic] : [])];
    const taken = Object.entries(TAKES[name]).flatMap(([owner, entities]) =>
      entities.map((entity) => `${owner} ${entity}`),
    );
    expect(taken.toSorted()).toEqual(
      projected.map((topic) => `${ownerOf(topic)} ${entityOf(topic)}`).toSorted(),
    );
  });

  it.each(SERVICE_NAMES)('of %s are commands that their services have', (name) => {
    for (const step of stepsAfterRestore(name)) {
      if ('awaits' in step) continue;
      const [command, ...entities] = step.command;
      const owned = SERVICES[step.service].owns.map(entityOf);
      if (command === 'republish') expect(owned).toEqual(expect.arrayContaining(entities));
      else expect(Object.keys(SERVICES[step.service].commands)).toContain(command);
    }
  });

  // docs/operations/tasks/billing.md, Backup and restore.
  it('let billing learn the prices that it has forgotten before others forget them, too', () => {
    expect(shown('billing')).toEqual([
      'identity republish user price-intent erasure',
      'social republish block',
      'identity intend-prices',
      'await billing.price-intent',
      'billing republish subscription price payment-notice erasure',
      'billing recount',
    ]);
  });

  // Rule: ACCT-34
  it('erase accounts again before identity tells of them', () => {
    const steps = shown('identity');
    const [awaited, told] = [
      steps.flatMap((step, index) => (step.startsWith('await identity.erased-by-') ? [index] : [])),
      steps.findIndex((step) => step.startsWith('identity republish user')),
    ];
    expect(awaited).toHaveLength(5);
    // Only meanwhile is the word of the others enough.
    expect(steps[0]).toBe('identity take-erasures --hours 24 --reason restore');
    expect(steps[Math.max(...awaited) + 1]).toBe('identity take-erasures --hours 0 --reason restore');
    expect(Math.max(...awaited)).toBeLessThan(told);
  });

  it('count sums again before they are published', () => {
    const steps = shown('social');
    expect(steps.indexOf('social recount-figures')).toBeLessThan(
      steps.findIndex((step) => step.startsWith('social republish') && step.includes('user-figures')),
    );
  });
});
