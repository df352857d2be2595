import sequencer from '@jest/test-sequencer';
import { tell } from './jest-progress.mjs';

const TestSequencer = sequencer.default ?? sequencer;

/** Jest's own order of files; tells first which files there are, so that those can be run which a crash has left out. */
export default class TellingSequencer extends TestSequencer {
  sort(tests) {
    tell({ planned: tests.map(({ path }) => path) });
    return super.sort(tests);
  }
}
