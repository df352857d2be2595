import type {
  EndSessionRequest,
  EndSessionResponse,
  ListEndedSessionsRequest,
  ListEndedSessionsResponse,
  ListSessionsResponse,
  LogInRequest,
  LogOutRequest,
  LogOutResponse,
  RefreshSessionRequest,
  Session,
} from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { EndSession } from './end-session.js';
import { ListEndedSessions } from './list-ended-sessions.js';
import { ListSessions } from './list-sessions.js';
import { LogIn } from './log-in.js';
import { LogOut } from './log-out.js';
import { RefreshSession } from './refresh-session.js';
import { toDeviceSession, toSessionMessage } from './session-message.js';

@RpcController(rpcContracts.identity)
export class SessionGrpc {
  constructor(
    private readonly logInUseCase: LogIn,
    private readonly refreshSessionUseCase: RefreshSession,
    private readonly logOutUseCase: LogOut,
    private readonly listSessionsUseCase: ListSessions,
    private readonly endSessionUseCase: EndSession,
    private readonly listEndedSessionsUseCase: ListEndedSessions,
  ) {}

  async logIn(request: LogInRequest): Promise<Session> {
    return toSessionMessage(await this.logInUseCase.execute(request));
  }

  async refreshSession(request: RefreshSessionRequest): Promise<Session> {
    return toSessionMessage(await this.refreshSessionUseCase.execute(request));
  }

  async logOut({ refreshToken }: LogOutRequest): Promise<LogOutResponse> {
    return { userId: (await this.logOutUseCase.execute(refreshToken)) ?? '' };
  }

  async listSessions(): Promise<ListSessionsResponse> {
    const { sessions, currentId } = await this.listSessionsUseCase.execute();
    return { sessions: sessions.map((session) => toDeviceSession(session, currentId)) };
  }

  async endSession({ id }: EndSessionRequest): Promise<EndSessionResponse> {
    await this.endSessionUseCase.execute(id);
    return {};
  }

  async listEndedSessions(request: ListEndedSessionsRequest): Promise<ListEndedSessionsResponse> {
    const { sessions, more } = await this.listEndedSessionsUseCase.execute(request);
    return { sessions: sessions.map(({ id, endedAt }) => ({ id, endedAt: endedAt! })), more };
  }
}
