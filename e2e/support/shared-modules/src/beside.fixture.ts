import { leaky } from '../test/leaky.js';

leaky();
