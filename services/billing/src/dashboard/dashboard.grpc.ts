import type {
  Dashboard,
  GetDashboardRequest,
  ListSubscribersRequest,
  SubscriberPage,
} from '@pulso/contracts/billing/v1/billing';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { GetDashboard } from './get-dashboard.js';
import { ListSubscribers } from './list-subscribers.js';

@RpcController(rpcContracts.billing)
export class DashboardGrpc {
  constructor(
    private readonly getDashboardUseCase: GetDashboard,
    private readonly listSubscribersUseCase: ListSubscribers,
  ) {}

  getDashboard(_request: GetDashboardRequest): Promise<Dashboard> {
    return this.getDashboardUseCase.execute();
  }

  listSubscribers(request: ListSubscribersRequest): Promise<SubscriberPage> {
    return this.listSubscribersUseCase.execute(request);
  }
}
