import { session, viewerId } from './session.js';

/** Calls `run` each time the viewer changes, also to a visitor; not when a starting page learns who it is. */
export function whenViewerChanges(run: () => void): void {
  let viewer = viewerId();
  let known = session.getState().status !== 'booting';
  session.subscribe(() => {
    if (session.getState().status === 'booting') return;
    const changed = known && viewerId() !== viewer;
    viewer = viewerId();
    // Calls that were sent before wait for the session.
    known = true;
    if (changed) run();
  });
}
