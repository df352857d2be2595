import type {
  ConversationPage,
  ListConversationsRequest,
  MarkConversationReadRequest,
  MarkConversationReadResponse,
  StartConversationRequest,
  StartConversationResponse,
} from '@pulso/contracts/messaging/v1/messaging';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { ListConversations } from './list-conversations.js';
import { MarkConversationRead } from './mark-conversation-read.js';
import { StartConversation } from './start-conversation.js';

@RpcController(rpcContracts.messaging)
export class ConversationGrpc {
  constructor(
    private readonly listConversationsUseCase: ListConversations,
    private readonly startConversationUseCase: StartConversation,
    private readonly markConversationReadUseCase: MarkConversationRead,
  ) {}

  listConversations(request: ListConversationsRequest): Promise<ConversationPage> {
    return this.listConversationsUseCase.execute(request);
  }

  startConversation({ userId }: StartConversationRequest): Promise<StartConversationResponse> {
    return this.startConversationUseCase.execute(userId);
  }

  async markConversationRead(request: MarkConversationReadRequest): Promise<MarkConversationReadResponse> {
    await this.markConversationReadUseCase.execute(request);
    return {};
  }
}
