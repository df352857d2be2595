import { Year } from './year.js';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
/** `npm run soak -- billing-year` makes a town of it. */
const PLAN = {
  seed: number('TEST_SEED', 48),
  members: number('BILLING_YEAR_MEMBERS', 12),
  months: number('BILLING_YEAR_MONTHS', 30),
  acts: number('BILLING_YEAR_ACTS', 2),
  kills: number('BILLING_YEAR_KILLS', 0.05),
};

// Rule: SUBS-8, SUBS-9, SUBS-10, SUBS-11, SUBS-12, SUBS-14, SUBS-17, SUBS-18, SUBS-22, SUBS-23, SUBS-33, SUBS-34, MAIL-12
it(`a year of members, coaches, failing cards and kills leaves access as paid and money as agreed (${JSON.stringify(PLAN)})`, async () => {
  const year = await Year.start(PLAN);
  const before = process.cpuUsage();
  try {
    await year.run();
  } finally {
    await year.stop();
  }
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const rate = ((PLAN.members * PLAN.months) / seconds).toFixed(1);
  process.stdout.write(
    `${year.steps} acts, ${year.kills} kills, ${rate} members × months a CPU-second of this process\n`,
  );
  expect(year.kills).toBeGreaterThan(0);
});
