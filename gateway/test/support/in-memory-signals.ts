import { EventEmitter } from 'node:events';
import type { EndedSessionsSignals } from '../../src/auth/ended-sessions-signals.js';

/** Gateways of one process; `connection` is what they share. */
export class InMemorySignals implements EndedSessionsSignals {
  constructor(private readonly connection = new EventEmitter()) {}

  async send(): Promise<void> {
    this.connection.emit('signal');
  }

  async listen(listener: () => void): Promise<void> {
    this.connection.on('signal', listener);
  }
}
