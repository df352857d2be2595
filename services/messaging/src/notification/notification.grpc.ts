import type {
  ListNotificationsRequest,
  MarkNotificationsReadRequest,
  MarkNotificationsReadResponse,
  NotificationPage,
} from '@pulso/contracts/messaging/v1/messaging';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { ListNotifications } from './list-notifications.js';
import { MarkNotificationsRead } from './mark-notifications-read.js';

@RpcController(rpcContracts.messaging)
export class NotificationGrpc {
  constructor(
    private readonly listNotificationsUseCase: ListNotifications,
    private readonly markNotificationsReadUseCase: MarkNotificationsRead,
  ) {}

  listNotifications(request: ListNotificationsRequest): Promise<NotificationPage> {
    return this.listNotificationsUseCase.execute(request);
  }

  async markNotificationsRead(request: MarkNotificationsReadRequest): Promise<MarkNotificationsReadResponse> {
    await this.markNotificationsReadUseCase.execute(request);
    return {};
  }
}
