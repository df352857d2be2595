import type { Scenario } from '../scenario.js';
import { contract } from './contract.js';
import { deploy } from './deploy.js';
import { isolation } from './isolation.js';
import { policies } from './policies.js';
import { security } from './security.js';
import { start } from './start.js';
import { wrongSettings } from './wrong-settings.js';

/** In the order in which they run. The first brings Pulso there; the API journeys need a Pulso that nobody has used. */
export const SCENARIOS: readonly Scenario[] = [
  deploy,
  contract,
  security,
  policies,
  start,
  wrongSettings,
  isolation,
];
