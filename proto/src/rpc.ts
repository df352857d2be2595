import { BillingServiceDefinition, BillingServiceService } from '@pulso/contracts/billing/v1/billing';
import { IdentityServiceDefinition, IdentityServiceService } from '@pulso/contracts/identity/v1/identity';
import { MediaServiceDefinition, MediaServiceService } from '@pulso/contracts/media/v1/media';
import { MessagingServiceDefinition, MessagingServiceService } from '@pulso/contracts/messaging/v1/messaging';
import { PostsServiceDefinition, PostsServiceService } from '@pulso/contracts/posts/v1/posts';
import { SocialServiceDefinition, SocialServiceService } from '@pulso/contracts/social/v1/social';

/** The part of ts-proto's generic definition that its grpc-js definition lacks. */
interface GenericDefinition {
  readonly fullName: string;
  readonly methods: Readonly<
    Record<string, { readonly options: { readonly idempotencyLevel?: 'NO_SIDE_EFFECTS' | 'IDEMPOTENT' } }>
  >;
}

/** One service's rpc contract: its fully qualified name, the codec of each method, and which methods are reads. */
export interface RpcContract<D> {
  /** `pulso.identity.v1.IdentityService`. */
  readonly name: string;
  readonly definition: D;
  /**
   * The methods that the .proto declares `NO_SIDE_EFFECTS`, by their lowerCamel name: they may be retried and may
   * answer from a projection that is behind. All others are writes.
   */
  readonly reads: ReadonlySet<string>;
}

function contract<D>(definition: D, { fullName, methods }: GenericDefinition): RpcContract<D> {
  const reads = Object.entries(methods)
    .filter(([, { options }]) => options.idempotencyLevel === 'NO_SIDE_EFFECTS')
    .map(([name]) => name);
  return { name: fullName, definition, reads: new Set(reads) };
}

/** The rpc contract of every service, by the service's name. */
export const rpcContracts = {
  billing: contract(BillingServiceService, BillingServiceDefinition),
  identity: contract(IdentityServiceService, IdentityServiceDefinition),
  media: contract(MediaServiceService, MediaServiceDefinition),
  messaging: contract(MessagingServiceService, MessagingServiceDefinition),
  posts: contract(PostsServiceService, PostsServiceDefinition),
  social: contract(SocialServiceService, SocialServiceDefinition),
};

export type ServiceName = keyof typeof rpcContracts;

export const SERVICE_NAMES = Object.keys(rpcContracts) as readonly ServiceName[];
