import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { bootService } from '@pulso/platform/service/start-service';
import { inContext } from '@pulso/platform/testing/context';
import { Dice } from '@pulso/platform/testing/seeded';
import { billing as definition } from '../../src/service.js';
import { CancelSubscription } from '../../src/subscription/cancel-subscription.js';
import { Subscribe } from '../../src/subscription/subscribe.js';

/**
 * A process of billing in which members subscribe and unsubscribe until it is killed. It prints `<member> <act>` before each
 * act and `<member> done` after it. Arguments: a seed, the coach's id, the members' ids.
 */
const [seed, coachId, ...members] = process.argv.slice(2) as [string, string, ...string[]];
const say = (line: string) => process.stdout.write(`${line}\n`);
const dice = new Dice(Number(seed));

const service = await bootService(definition, {
  settings: readServiceSettings(definition, process.env),
  transport: { kind: 'in-process', network: new InProcessNetwork() },
  // Never listens, so it publishes nothing: that is the work of the instance that survives.
  bus: { subscribe: () => undefined, delivered: async () => true } as never,
  logger: createLogger({ service: 'presser', level: 'error' }),
});

async function press(userId: string): Promise<never> {
  for (;;) {
    const act = dice.chance(0.5) ? 'subscribe' : 'cancel';
    say(`${userId} ${act}`);
    await inContext({ userId, sessionId: 's', expiresAt: Infinity }, async () => {
      if (act === 'cancel') return service.get(CancelSubscription).execute({ coachId });
      return service.get(Subscribe).execute({ coachId, idempotency: undefined });
    });
    say(`${userId} done`);
  }
}

await Promise.all(members.map(press));
