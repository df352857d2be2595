import { PriceIntentState } from '@pulso/contracts/identity/v1/events';
import { BlockState } from '@pulso/contracts/social/v1/events';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { Topic } from '@pulso/contracts/topics/topic';
import { republish } from '@pulso/platform/events/republish';
import { Billing, outcome, type Person } from './start.js';

const TABLES = ['known_users', 'known_blocks', 'known_price_intents'] as const;
type Table = (typeof TABLES)[number];
const KEYS: Readonly<Record<Table, string>> = {
  known_users: 'id',
  known_blocks: 'blocker_id, blocked_id',
  known_price_intents: 'user_id',
};

describe('projections rebuilt while they serve', () => {
  let billing: Billing;
  let ana: Person;
  let ben: Person;
  let coach: Person;
  beforeAll(async () => {
    billing = await Billing.start();
    [ana, ben, coach] = [await billing.person(), await billing.person(), await billing.coach()];
    await billing.subscribe(ana, coach);
    await billing.block(coach, ben);
    await billing.intent(coach, 3, 40_000);
  });
  afterAll(() => billing?.stop());

  const rowsOf = async (table: Table) => {
    const rows = await billing.rows<Record<string, unknown>>(
      `SELECT * FROM ${table} ORDER BY ${KEYS[table]}`,
    );
    return rows.map(({ changed_at: _changed, confirmed_by: _confirmed, ...row }) => row);
  };
  const again = <T>(topic: Topic<T>, states: readonly T[]) =>
    republish({
      ...{ topic, bus: billing.service.bus },
      states: (async function* () {
        yield* states;
      })(),
    });
  const republishAll = async () => {
    await again(userTopic, [...billing.users.states.values()]);
    await again(blockTopic, [
      BlockState.fromPartial({ blockerId: coach.id, blockedId: ben.id, active: true, version: 1 }),
    ]);
    const intent = { userId: coach.id, version: 3, priceMinor: 40_000, currency: 'MXN' };
    await again(priceIntentTopic, [PriceIntentState.fromPartial(intent)]);
    await billing.service.drainEvents();
    await billing.untilEnded();
  };
  const seen = async () => [
    (await billing.get(ana, coach)).givesAccess,
    await billing.standing(ana, coach),
    await outcome(billing.subscribe(ben, coach)),
    (await billing.dashboard(coach)).priceMinor,
    billing.service.deliveredState(priceTopic, coach.id)?.intentVersion,
  ];

  it.each<[string, (table: Table) => string]>([
    ['thrown away', (table) => `DELETE FROM ${table}`],
    [
      'ahead, with versions that would reject the right states',
      (table) => `UPDATE ${table} SET version = 9e15`,
    ],
    [
      'extended by rows that were never published',
      (table) =>
        ({
          known_users: `INSERT INTO known_users (id, status, name, username, profile_image_id, is_coach, version,
            changed_at) VALUES (gen_random_uuid(), 'active', 'Mallory', 'mallory', '', true, 1, '-infinity')`,
          known_blocks: `INSERT INTO known_blocks (blocker_id, blocked_id, active, version, changed_at)
            VALUES ('${coach.id}', '${ana.id}', true, 1, '-infinity')`,
          known_price_intents: `INSERT INTO known_price_intents (user_id, price_minor, currency, version, changed_at)
            VALUES (gen_random_uuid(), 100, 'USD', 1, '-infinity')`,
        })[table],
    ],
  ])('are right again when they were %s, and no subscription ends by it', async (_name, spoil) => {
    const before = await Promise.all(TABLES.map(rowsOf));
    const told = await seen();
    for (const table of TABLES) await billing.rows(spoil(table));
    expect(await Promise.all(TABLES.map(rowsOf))).not.toEqual(before);
    await republishAll();
    expect(await Promise.all(TABLES.map(rowsOf))).toEqual(before);
    expect(await seen()).toEqual(told);
    expect(told).toEqual([true, [1, true], 'not-found not-found', 40_000, 3]);
  });

  it('end what a missed state should have ended', async () => {
    const [cora, other] = [await billing.person(), await billing.coach()];
    await billing.subscribe(cora, other);
    billing.users.next(other, { isCoach: false });
    await republishAll();
    expect((await billing.get(cora, other)).givesAccess).toBe(false);
  });
});
