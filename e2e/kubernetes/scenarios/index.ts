import type { Scenario } from '../scenario.js';
import { deploy } from './deploy.js';

/** In the order in which they run. The first brings Pulso there; the API journeys need a Pulso that nobody has used. */
export const SCENARIOS: readonly Scenario[] = [deploy];
