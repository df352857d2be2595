import type {
  CancelSubscriptionRequest,
  GetSubscriptionRequest,
  ListSubscriptionsRequest,
  SubscribeRequest,
  SubscribeResponse,
  Subscription,
  SubscriptionPage,
} from '@pulso/contracts/billing/v1/billing';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { CancelSubscription } from './cancel-subscription.js';
import { GetSubscription } from './get-subscription.js';
import { ListSubscriptions } from './list-subscriptions.js';
import { Subscribe } from './subscribe.js';

@RpcController(rpcContracts.billing)
export class SubscriptionGrpc {
  constructor(
    private readonly subscribeUseCase: Subscribe,
    private readonly cancelSubscriptionUseCase: CancelSubscription,
    private readonly listSubscriptionsUseCase: ListSubscriptions,
    private readonly getSubscriptionUseCase: GetSubscription,
  ) {}

  subscribe(request: SubscribeRequest): Promise<SubscribeResponse> {
    return this.subscribeUseCase.execute(request);
  }

  cancelSubscription({ coachId }: CancelSubscriptionRequest): Promise<Subscription> {
    return this.cancelSubscriptionUseCase.execute(coachId);
  }

  listSubscriptions(request: ListSubscriptionsRequest): Promise<SubscriptionPage> {
    return this.listSubscriptionsUseCase.execute(request);
  }

  getSubscription({ coachId }: GetSubscriptionRequest): Promise<Subscription> {
    return this.getSubscriptionUseCase.execute(coachId);
  }
}
