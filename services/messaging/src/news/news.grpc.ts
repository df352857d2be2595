import type { ListNewsRequest, News, UnreadCounts } from '@pulso/contracts/messaging/v1/messaging';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { GetUnreadCounts } from './get-unread-counts.js';
import { ListNews } from './list-news.js';

@RpcController(rpcContracts.messaging)
export class NewsGrpc {
  constructor(
    private readonly getUnreadCountsUseCase: GetUnreadCounts,
    private readonly listNewsUseCase: ListNews,
  ) {}

  getUnreadCounts(): Promise<UnreadCounts> {
    return this.getUnreadCountsUseCase.execute();
  }

  listNews(request: ListNewsRequest): Promise<News> {
    return this.listNewsUseCase.execute(request);
  }
}
