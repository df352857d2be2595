import { randomInt } from 'node:crypto';
import { Dice } from '@pulso/platform/testing/seeded';

const SEED = Number(process.env.TEST_SEED || randomInt(1_000_000));

/** The random choices of a suite; TEST_SEED repeats those of an earlier run. */
export const dice = new Dice(SEED);

/** Belongs in the name of a random test, so that a failure shows its seed. */
export const withSeed = (name: string) => `${name} (TEST_SEED=${SEED})`;
