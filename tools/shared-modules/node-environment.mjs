import { TestEnvironment } from 'jest-environment-node';
import { sharedEnvironment } from './shared-environment.mjs';

/** Node's environment of Jest, one for all files of a process. */
export default sharedEnvironment(TestEnvironment);
