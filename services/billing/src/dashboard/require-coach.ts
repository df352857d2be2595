import { permissionDenied } from '@pulso/platform/errors/domain-error';
import type { KnownUser } from '@pulso/platform/postgres/user-projection';

/** The dashboard is for coaches (SUBS-29). Throws `permission-denied`. */
export function requireCoach({ isCoach }: KnownUser): void {
  if (!isCoach) throw permissionDenied('Access denied. Only coaches can view the dashboard.');
}
