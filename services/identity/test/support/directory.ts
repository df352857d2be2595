import { CoachOrder, type UserPage } from '@pulso/contracts/identity/v1/identity';
import { comparisonKey, searchKey } from '@pulso/platform/text/comparison-key';
import { inContext } from '@pulso/platform/testing/context';
import { ListCoaches } from '../../src/directory/list-coaches.js';
import type { Identity } from '../start.js';

export interface CoachRow {
  id: string;
  name: string;
  username: string;
  bio: string;
  specialties: string[];
  isCoach: boolean;
  status: string;
}

let rows = 0;

/** A coach whose id follows the order of calls; `rank` overrides the order. */
export function aCoachRow(fields: Partial<CoachRow> = {}): CoachRow {
  rows += 1;
  const id = `019a0000-0000-7000-8000-${rows.toString(16).padStart(12, '0')}`;
  return {
    ...{ id, name: `Coach ${rows}`, username: id, bio: '', specialties: [] },
    ...{ isCoach: true, status: 'active', ...fields },
  };
}

/** Stores users without the cost of hashing passwords. */
export async function storeCoaches(
  query: (sql: string, parameters: unknown[]) => Promise<unknown>,
  coaches: readonly CoachRow[],
): Promise<void> {
  for (let start = 0; start < coaches.length; start += 1_000) {
    await query(
      `INSERT INTO users (id, email, name, username, bio, specialties, is_coach, status, version, created_at, updated_at)
       SELECT (row ->> 'id')::uuid, (row ->> 'id') || '@example.org', row ->> 'name', row ->> 'username', row ->> 'bio',
         ARRAY(SELECT jsonb_array_elements_text(row -> 'specialties')), (row ->> 'isCoach')::boolean,
         row ->> 'status', 1, now(), now()
       FROM jsonb_array_elements($1::jsonb) AS row`,
      [JSON.stringify(coaches.slice(start, start + 1_000))],
    );
  }
}

export interface Asked {
  q?: string;
  specialty?: string;
  limit?: number;
  cursor?: string;
  order?: CoachOrder;
}

const DEFAULTS = { q: '', specialty: '', limit: 0, cursor: '', order: CoachOrder.COACH_ORDER_UNSPECIFIED };

/** Asks for a page as a user, or as a visitor. */
export function listCoaches(
  identity: Identity,
  asked: Asked = {},
  viewerId: string | null = null,
): Promise<UserPage> {
  const caller = viewerId === null ? null : { userId: viewerId, sessionId: 'session', expiresAt: Infinity };
  return inContext(caller, () => identity.get(ListCoaches).execute({ ...DEFAULTS, ...asked }));
}

/** The ids of all pages in sequence. */
export async function allPages(
  identity: Identity,
  asked: Asked,
  viewerId: string | null = null,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const page = await listCoaches(identity, { ...asked, cursor }, viewerId);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== '');
  return ids;
}

const folded = new Map<string, string>();

/** The same few texts are folded in every plain scan, so each is folded once. */
export function fold(text: string): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  const result = searchKey(text);
  folded.set(text, result);
  return result;
}

/** The result that PEOPLE-14 requires, computed by a plain scan. */
export function expectedIds(
  coaches: readonly CoachRow[],
  { q = '', specialty = '' }: Asked,
  hidden: ReadonlySet<string> = new Set(),
): string[] {
  const wanted = fold(q.trim());
  const wantedSpecialty = comparisonKey(specialty);
  return (
    coaches
      .filter(({ isCoach, status, id }) => isCoach && status === 'active' && !hidden.has(id))
      .filter((coach) => specialty === '' || coach.specialties.map(comparisonKey).includes(wantedSpecialty))
      .filter(({ name, bio, specialties }) =>
        [name, bio, ...specialties].some((text) => fold(text).includes(wanted)),
      )
      // No text holds NUL, which sorts before all else.
      .map(({ id, name }) => ({ id, place: Buffer.from(`${fold(name)}\0${id}`) }))
      .sort((a, b) => Buffer.compare(a.place, b.place))
      .map(({ id }) => id)
  );
}

export const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
