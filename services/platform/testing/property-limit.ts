/**
 * fast-check's own limit for a property, as its options: before Jest's, after which the seed would not be told. `npm run
 * soak` allows more.
 */
export const PROPERTY_LIMIT = {
  interruptAfterTimeLimit: Number(process.env.PULSO_TEST_LIMIT_MS ?? 300_000) / 3,
  markInterruptAsFailure: true,
};

/** How many random cases a property gets: so many, or as many times more as PULSO_PROPERTY_TIMES says (`npm run soak`). */
export const propertyRuns = (runs: number): number => runs * Number(process.env.PULSO_PROPERTY_TIMES ?? 1);
