import type { Scenario } from '../scenario.js';
import { autoscaling } from './autoscaling.js';
import { billing } from './billing.js';
import { contract } from './contract.js';
import { deploy } from './deploy.js';
import { drain } from './drain.js';
import { engines } from './engines.js';
import { isolation } from './isolation.js';
import { killed } from './killed.js';
import { payments } from './payments.js';
import { policies } from './policies.js';
import { rollout } from './rollout.js';
import { security } from './security.js';
import { start } from './start.js';
import { videos } from './videos.js';
import { wrongSettings } from './wrong-settings.js';

/** In the order in which they run. The first brings Pulso there; the API journeys need a Pulso that nobody has used. */
export const SCENARIOS: readonly Scenario[] = [
  deploy,
  contract,
  videos,
  security,
  policies,
  start,
  wrongSettings,
  isolation,
  rollout,
  killed,
  drain,
  engines,
  autoscaling,
  billing,
  payments,
];
