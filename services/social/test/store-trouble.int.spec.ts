import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { eventOf } from '@pulso/platform/events/event-record';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { TestService } from '@pulso/platform/testing/test-service';
import { until } from '@pulso/platform/testing/until';
import { social as definition } from '../src/service.js';

const ATTEMPTS = 3;

/** Errors raised by PostgreSQL itself, in place of a server that shuts down or has a full disk. */
describe('a PostgreSQL in trouble', () => {
  let service: TestService<(typeof rpcContracts)['social']['definition']>;

  beforeAll(async () => {
    service = await TestService.start(definition, rpcContracts.social, {
      retry: { firstMs: 1, longestMs: 4, attempts: ATTEMPTS },
    });
    // Counted outside of the transactions that the fault undoes.
    await service.pool.query('CREATE SEQUENCE faults');
  });
  afterEach(async () => {
    await service.pool.query('DROP FUNCTION IF EXISTS fail() CASCADE');
  });
  afterAll(() => service?.stop());

  const failWith = async (sqlState: string) => {
    await service.pool.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM nextval('faults'); RAISE EXCEPTION 'fault' USING ERRCODE = '${sqlState}'; END $$`);
    for (const table of ['known_users', 'follows'])
      await service.pool.query(
        `CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
      );
  };
  const faults = async () =>
    Number((await service.rows<{ last_value: string }>('SELECT last_value FROM faults'))[0]!.last_value);
  const user = (id: string) =>
    UserState.fromPartial({
      ...{ id, version: 1, status: UserStatus.USER_STATUS_ACTIVE },
      ...{ name: 'Ana', username: `ana-${id.slice(-8)}` },
    });

  it.each([
    ['has a full disk', '53100'],
    ['is out of memory', '53200'],
    ['has too many connections', '53300'],
    ['is shut down by its administrator', '57P01'],
    ['has crashed', '57P02'],
    ['is starting', '57P03'],
    ['cannot serialize', '40001'],
    ['has a deadlock', '40P01'],
    ['does not get a lock', '55P03'],
    ['is read-only', '25006'],
    ['cannot read its disk', '58030'],
  ])('that %s: calls answer 503, events wait, and nothing becomes a dead letter', async (_what, sqlState) => {
    const [ana, ben, newcomer] = [newId(), newId(), newId()];
    await service.tell(userTopic, user(ana));
    await service.tell(userTopic, user(ben));
    await failWith(sqlState);
    const follow = () => service.as(ana, (client) => client.followUser({ userId: ben }));
    await expect(follow()).rejects.toMatchObject({ kind: 'unavailable' });

    const before = await faults();
    const event = eventOf(userTopic, user(newcomer));
    await service.bus.publish([event]);
    const isRetried = async () => (await faults()) - before > 2 * ATTEMPTS;
    await until(isRetried, { what: 'more attempts than end in a dead letter' });
    expect(await service.bus.deadLetters()).toEqual([]);

    await service.pool.query('DROP FUNCTION fail() CASCADE');
    expect(await service.bus.delivered([event], 60_000)).toBe(true);
    await follow();
  });

  it('does not hide a defect: a violated constraint ends as a dead letter', async () => {
    await failWith('23514');
    await service.bus.publish([eventOf(userTopic, user(newId()))]);
    const isDead = async () => (await service.bus.deadLetters()).length > 0;
    await until(isDead, { what: 'the event in the dead letters' });
    expect(await service.bus.deadLetters()).toMatchObject([{ attempts: ATTEMPTS }]);
  });
});
