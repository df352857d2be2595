import { nodePreset } from '../../jest.preset.mjs';

/** Suites named `*.kafka.spec.ts` are for the broker that PULSO_TEST_KAFKA_BROKERS names (`npm run test:engines`). */
const withoutKafka = process.env.PULSO_TEST_KAFKA_BROKERS ? [] : ['\\.kafka\\.spec\\.ts$'];

export default {
  ...nodePreset,
  testPathIgnorePatterns: [...nodePreset.testPathIgnorePatterns, ...withoutKafka],
  globalSetup: '../../tools/jest-engines.mjs',
  globalTeardown: '../../tools/jest-engines-stop.mjs',
};
