import type {
  ListMessagesRequest,
  Message,
  MessagePage,
  SendMessageRequest,
} from '@pulso/contracts/messaging/v1/messaging';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { ListMessages } from './list-messages.js';
import { SendMessage } from './send-message.js';

@RpcController(rpcContracts.messaging)
export class MessageGrpc {
  constructor(
    private readonly listMessagesUseCase: ListMessages,
    private readonly sendMessageUseCase: SendMessage,
  ) {}

  listMessages(request: ListMessagesRequest): Promise<MessagePage> {
    return this.listMessagesUseCase.execute(request);
  }

  sendMessage(request: SendMessageRequest): Promise<Message> {
    return this.sendMessageUseCase.execute(request);
  }
}
