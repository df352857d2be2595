import { Injectable } from '@nestjs/common';
import { graphChannel, Signals } from '@pulso/platform/signals/signals';

/** Tells users' open pages that a follow or block between them has changed (NOTIF-10). Call it after the commit. */
@Injectable()
export class GraphSignals {
  constructor(private readonly signals: Signals) {}

  /** For both users: each shows the other with what has changed. */
  tellBoth(one: string, other: string): void {
    this.tell(one, other);
    this.tell(other, one);
  }

  /** For `viewerId` alone: a block is not shown to the user whom it concerns. */
  tell(viewerId: string, userId: string): void {
    this.signals.send(graphChannel(viewerId, userId));
  }
}
