import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { Billing, Dice, type Person } from './start.js';

/** `npm run soak -- billing` makes more of them. */
const KILLS = Number(process.env['BILLING_KILLS'] ?? 3);
const SEED = Number(process.env['TEST_SEED'] ?? 9);
const MEMBERS = 4;
/** The most acts that are answered before a kill. */
const MOST_ACTS = 120;
const SLOW = { limit: 100_000 };

const here = dirname(fileURLToPath(import.meta.url));

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

/** What a member may have after the kill: what the last answered act has left, or the one that was under way. */
class Ledger {
  private answered = false;
  private underWay: boolean | undefined;

  begin(wanted: boolean): void {
    this.underWay = wanted;
  }

  end(): void {
    this.answered = this.underWay!;
    this.underWay = undefined;
  }

  /** Whether the member may have this access by now; the ledger goes on from it. */
  isPossible(access: boolean): boolean {
    const isRight = access === this.answered || access === this.underWay;
    this.answered = access;
    this.underWay = undefined;
    return isRight;
  }
}

/** Starts a process of billing, and kills it after so many answers. */
async function killAfter(acts: number, coach: Person, ledgers: ReadonlyMap<string, Ledger>, seed: number) {
  const words = [`${seed}`, coach.id, ...ledgers.keys()];
  const args = [...TYPESCRIPT, join(here, 'support/presser.ts'), ...words];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...billing.service.env },
  });
  onTestEnd(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let [answers, rest, complaint] = [0, '', ''];
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const [member, act] = line.split(' ') as [string, string];
      if (act === 'done') ledgers.get(member)!.end();
      else ledgers.get(member)!.begin(act === 'subscribe');
      if (act === 'done') answers += 1;
    }
  });
  const isDue = () => {
    if (child.exitCode !== null) throw new Error(`billing ended by itself: ${complaint}`);
    return answers > acts;
  };
  await until(isDue, { what: () => `${acts} answers, there were ${answers}; ${complaint}`, ...SLOW });
  child.kill('SIGKILL');
  await closed;
  // What had reached the database before the kill is finished there.
  const running = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
  await until(async () => (await billing.rows(running)).length === 0, {
    what: 'no open transaction',
    ...SLOW,
  });
}

// Rule: SUBS-8, SUBS-10, SUBS-11
it(`leaves each subscription as it was answered, with its count and event, over ${KILLS} kill -9 (TEST_SEED=${SEED})`, async () => {
  const dice = new Dice(SEED);
  const coach = await billing.coach();
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => billing.person()));
  const ledgers = new Map(members.map(({ id }) => [id, new Ledger()]));
  for (let round = 0; round < KILLS; round += 1) {
    await killAfter(dice.below(MOST_ACTS), coach, ledgers, SEED + round);
    await billing.service.drainEvents();
    // No signal of the killed process has come here.
    billing.service.interruptSignals();
    let live = 0;
    for (const member of members) {
      const [, access] = await billing.standing(member, coach);
      expect(ledgers.get(member.id)!.isPossible(access)).toBe(true);
      expect(billing.published(member, coach)?.active ?? false).toBe(access);
      live += Number(access);
    }
    expect((await billing.standing(null, coach))[0]).toBe(live);
    expect((await billing.command('recount'))[0]).toBe('All counts are right.');
  }
  expect(await billing.rows('SELECT FROM subscriptions WHERE coach_id = $1', [coach.id])).toHaveLength(
    MEMBERS,
  );
});
