import { jest } from '@jest/globals';
import { Writes } from '@pulso/platform/postgres/writes';
import pg from 'pg';
import { EraseMe } from '../src/account/erase-me.js';
import { ExportedRows } from '../src/store/exported-rows.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';

let identity: Identity;
let person: SignedIn;

beforeAll(async () => {
  identity = await Identity.start();
  const other = await identity.signUp();
  await identity.service.tamper(
    `INSERT INTO sessions SELECT (jsonb_populate_record(one, jsonb_build_object(
       'id', gen_random_uuid(), 'ended_at', CASE WHEN n % 2 = 0 THEN now() END,
       'end_reason', CASE WHEN n % 2 = 0 THEN 'logout' END))).*
     FROM sessions one, generate_series(1, 2000) n WHERE user_id = $1`,
    [other.user.id],
  );
  await identity.rows('ANALYZE sessions');
  person = await identity.signUp();
});
afterAll(() => identity?.stop());

interface Asked {
  text: string;
  values: unknown[];
}

/** The statements that find sessions by their user. */
async function statementsOf(call: () => Promise<unknown>): Promise<Asked[]> {
  const asked = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await call();
    return asked.mock.calls
      .map((parts) => {
        const [query, values] = parts as unknown as [string | Asked, unknown[]];
        return typeof query === 'string' ? { text: query, values } : query;
      })
      .filter(({ text }) => /\bsessions\b[^]*\buser_id = \$1/.test(text));
  } finally {
    asked.mockRestore();
  }
}

const planOf = ({ text, values }: Asked): Promise<string> =>
  identity.get(Writes).run(async ({ manager }) => {
    const lines = await manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, values);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });

/** Either index of sessions by their user. */
const BY_USER = /Index.* (using|on) (sessions_of_user_idx|sessions_user_id_idx)/;

// Rule: ACCT-32, ACCT-35
describe('the sessions of one user are found by an index', () => {
  it('when they are exported', async () => {
    const sessions = identity.get(ExportedRows).sections.find(({ name }) => name === 'sessions')!;
    const statements = await statementsOf(async () => {
      const [first] = await sessions.list(person.user.id, undefined, 1);
      await sessions.list(person.user.id, first!.key, 1);
    });
    expect(statements).toHaveLength(2);
    for (const one of statements) expect(await planOf(one)).toMatch(BY_USER);
  });

  it('when the account is erased', async () => {
    const statements = await statementsOf(() =>
      identity.as(person, () => identity.get(EraseMe).execute({ password: PASSWORD })),
    );
    for (const part of ['DELETE FROM refresh_tokens', "SET user_agent = ''"]) {
      const found = statements.filter(({ text }) => text.includes(part));
      expect(found).toHaveLength(1);
      expect(await planOf(found[0]!)).toMatch(BY_USER);
    }
  });
});
