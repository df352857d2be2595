import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { ownerOf, type Topic } from '@pulso/contracts/topics/topic';
import { CLAIM_MS, EraseUsers } from '../../src/erasure/erase-users.job.js';
import { type DueErasure, ErasedUsers, SECOND_LOOK_MS } from '../../src/erasure/erased-users.js';
import { UserEraser } from '../../src/erasure/user-eraser.js';
import { newId } from '../../src/ids/uuid-v7.js';
import { settings } from '../../src/process/settings.js';
import { defineService } from '../../src/service/define-service.js';
import type { Store } from '../../src/service/store.js';
import { gate } from '../../testing/gate.js';
import { TestService } from '../../testing/test-service.js';
import { until } from '../../testing/until.js';

/** An eraser that notes whom it has erased, and does what a test has planned. */
class PlannedEraser extends UserEraser {
  readonly erased: string[] = [];
  plan: (userId: string) => Promise<boolean> = () => Promise.resolve(true);

  async erase(userId: string): Promise<boolean> {
    const hasEnded = await this.plan(userId);
    if (hasEnded) this.erased.push(userId);
    return hasEnded;
  }
}

class NoSettings extends settings({}) {}
class NoModule {}

const rpc = {
  name: 'pulso.test.v1.EmptyService',
  definition: {},
  reads: new Set<string>(),
  aboutUser: new Map<string, string>(),
};

/** What both stores do with erasures. `store` acknowledges on `topic`. */
export function itErasesUsers(topic: Topic<ErasedUserState>, store: Store): void {
  const definition = defineService({
    ...{ name: ownerOf(topic), rpc, handlers: {}, settings: NoSettings, store, module: NoModule },
    ...{ consumes: [erasureTopic], projections: [], eraser: PlannedEraser },
  });
  let service: TestService<typeof rpc.definition>;
  let eraser: PlannedEraser;
  let userId: string;
  beforeAll(async () => (service = await TestService.start(definition, rpc)));
  afterAll(() => service?.stop());
  beforeEach(() => {
    userId = newId();
    eraser = service.get(PlannedEraser);
    eraser.erased.length = 0;
    eraser.plan = () => Promise.resolve(true);
  });

  const ask = (version: number) => service.tell(erasureTopic, { userId, version, requestedAt: 1 });
  const acknowledged = async () => {
    await service.drainEvents();
    return service.deliveredState(topic, userId);
  };
  const run = () => service.get(EraseUsers).execute();
  const times = () => eraser.erased.filter((id) => id === userId).length;
  const untilErased = (what = 'the acknowledgement') =>
    until(async () => (await acknowledged())?.erasedAt !== undefined, { what });

  // Rule: ACCT-34
  it('marks, erases and acknowledges', async () => {
    await ask(1);
    await untilErased();
    expect(await acknowledged()).toMatchObject({ userId, erasedAt: service.clock.now() });
    expect(await service.get(ErasedUsers).versionOf(userId)).toBe(1);
    const marked = await service.get(ErasedUsers).since(new Date(0));
    expect(marked.map((one) => one.userId)).toContain(userId);
    const every: string[] = [];
    for await (const one of service.get(ErasedUsers).every()) every.push(one.userId);
    expect(every).toContain(userId);
  });

  it('does nothing for a repeated or older event, and looks a second time later, which is no news', async () => {
    await ask(5);
    await untilErased();
    const first = await acknowledged();
    await ask(5);
    await ask(4);
    await run();
    expect([times(), await acknowledged()]).toEqual([1, first]);
    service.clock.advance(SECOND_LOOK_MS - 1);
    await run();
    expect(times()).toBe(1);
    service.clock.advance(1);
    await run();
    await until(() => times() === 2, { what: 'the second look' });
    service.clock.advance(SECOND_LOOK_MS);
    await run();
    expect([times(), await acknowledged()]).toEqual([2, first]);
  });

  it('erases and acknowledges again when it is asked again', async () => {
    await ask(1);
    await untilErased();
    const first = await acknowledged();
    service.clock.advance(1_000);
    await ask(2);
    await until(() => times() === 2, { what: 'the second erasure' });
    await untilErased();
    expect((await acknowledged())!.erasedAt).toBe(first!.erasedAt! + 1_000);
    expect((await acknowledged())!.version).toBeGreaterThan(first!.version);
  });

  it('waits for what has to end first, and tries again what has failed, without holding up others', async () => {
    const waiting = userId;
    let answer: () => Promise<boolean> = () => Promise.resolve(false);
    eraser.plan = (id) => (id === waiting ? answer() : Promise.resolve(true));
    await ask(1);
    await until(acknowledged, { what: 'the mark' });
    userId = newId();
    await ask(1);
    await untilErased();
    userId = waiting;
    expect((await acknowledged())?.erasedAt).toBeUndefined();
    answer = () => Promise.reject(new Error('a planned failure'));
    service.clock.advance(60_000);
    await run();
    expect((await acknowledged())?.erasedAt).toBeUndefined();
    answer = () => Promise.resolve(true);
    service.clock.advance(60_000);
    await run();
    await untilErased();
    expect((await acknowledged())?.erasedAt).toBe(service.clock.now());
  });

  it('leaves alone an erasure that was asked for again while it ran', async () => {
    const marks = service.get(ErasedUsers);
    await ask(1);
    await untilErased();
    const before = await acknowledged();
    const former = { userId, asked: 0, looks: 1, claimedUntil: service.clock.now() + SECOND_LOOK_MS };
    await marks.erased(former);
    await marks.postpone(former, 1_000_000);
    expect(await marks.renew(former, 1_000_000)).toBeUndefined();
    expect(await acknowledged()).toEqual(before);
  });

  it('does what the last claim says where two processes work at one erasure: the second look stays due', async () => {
    const marks = service.get(ErasedUsers);
    const [begun, mayEnd] = [gate('the first process begins'), gate('the first process may end')];
    eraser.plan = async (id) => {
      if (id !== userId) return true;
      begun.open();
      await mayEnd.opened;
      return true;
    };
    await ask(1);
    await begun.opened;
    service.clock.advance(CLAIM_MS);
    let claimed: DueErasure | undefined;
    do claimed = await marks.claim(CLAIM_MS);
    while (claimed && claimed.userId !== userId);
    expect(claimed).toMatchObject({ userId, asked: 1, looks: 0 });
    service.clock.advance(1);
    const renewed = await marks.renew(claimed!, CLAIM_MS);
    expect(renewed).toEqual({ ...claimed, claimedUntil: service.clock.now() + CLAIM_MS });

    mayEnd.open();
    await until(() => times() === 1, { what: 'the end of the first process' });
    for (const former of [{ ...claimed!, claimedUntil: claimed!.claimedUntil - 1 }, claimed!]) {
      await marks.erased(former);
      await marks.postpone(former, 0);
      expect(await marks.renew(former, CLAIM_MS)).toBeUndefined();
    }
    expect((await acknowledged())?.erasedAt).toBeUndefined();
    await marks.erased(renewed!);
    const first = await acknowledged();
    expect(first?.erasedAt).toBe(service.clock.now());
    await marks.erased(renewed!);
    await marks.postpone(renewed!, 0);
    await run();
    expect(times()).toBe(1);
    service.clock.advance(SECOND_LOOK_MS);
    await run();
    await until(() => times() === 2, { what: 'the second look' });
    expect(await acknowledged()).toEqual(first);
  });
}
