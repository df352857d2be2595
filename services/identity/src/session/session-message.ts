import type { DeviceSession, Session as SessionMessage } from '@pulso/contracts/identity/v1/identity';
import { toAccountMessage } from '../user/user-message.js';
import type { SignedIn } from './session-issuer.js';
import type { Session } from '../store/session.entity.js';

export function toSessionMessage({ user, ...tokens }: SignedIn): SessionMessage {
  return { ...tokens, account: toAccountMessage(user) };
}

export function toDeviceSession(session: Session, currentId: string): DeviceSession {
  return {
    id: session.id,
    device: { userAgent: session.userAgent, address: session.address },
    createdAt: session.createdAt,
    lastUsedAt: session.lastUsedAt,
    current: session.id === currentId,
  };
}
