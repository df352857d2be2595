import { Injectable } from '@nestjs/common';
import { Signals, userChannel } from '@pulso/platform/signals/signals';

/** Signals to users' open pages that something of theirs has changed; they then ask for the news (NOTIF-8). */
@Injectable()
export class OpenPages {
  constructor(private readonly signals: Signals) {}

  /** Call it after the effect is committed. */
  signal(userIds: readonly string[]): void {
    for (const id of new Set(userIds)) this.signals.send(userChannel(id));
  }
}
