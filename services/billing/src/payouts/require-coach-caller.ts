import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { KnownUsers } from '../projections/known-users.js';
import { requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';

/** The access check of what only coaches do at the provider. */
@Injectable()
export class RequireCoachCaller {
  constructor(
    private readonly users: KnownUsers,
    private readonly provider: Provider,
  ) {}

  /** The caller's id. Throws `permission-denied` to who is no coach, `payments-not-configured`. */
  async execute(): Promise<string> {
    const { userId } = requireCaller();
    const { isCoach } = await this.users.requireCaller(userId);
    if (!isCoach) throw permissionDenied('Only coaches can be paid.');
    requireProvider(this.provider);
    return userId;
  }
}
