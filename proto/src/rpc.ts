import { BinaryReader } from '@bufbuild/protobuf/wire';
import { services } from '@pulso/contracts/services';

/** The part of ts-proto's generic definition that its grpc-js definition lacks. */
interface GenericDefinition {
  readonly fullName: string;
  readonly methods: Readonly<Record<string, { readonly options: MethodOptions }>>;
}

interface MethodOptions {
  readonly idempotencyLevel?: 'NO_SIDE_EFFECTS' | 'IDEMPOTENT';
  /** Options of our own, as bytes by their tags: ts-proto does not read them. */
  readonly _unknownFields?: Readonly<Record<number, readonly Uint8Array[]>>;
}

/** The tag of `pulso.options.v1.about_user`: its number, then the wire type of texts. */
const ABOUT_USER = (50_001 << 3) | 2;

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
  /**
   * The methods that are about one user, by their lowerCamel name, with the request's field that names this user (HTTP-30). The
   * .proto declares them by `about_user`.
   */
  readonly aboutUser: ReadonlyMap<string, string>;
}

function contract<D>(definition: D, { fullName, methods }: GenericDefinition): RpcContract<D> {
  const reads = Object.entries(methods)
    .filter(([, { options }]) => options.idempotencyLevel === 'NO_SIDE_EFFECTS')
    .map(([name]) => name);
  const aboutUser = Object.entries(methods).flatMap(([name, { options }]): [string, string][] => {
    const field = options._unknownFields?.[ABOUT_USER]?.[0];
    return field ? [[name, lowerCamel(new BinaryReader(field).string())]] : [];
  });
  return { name: fullName, definition, reads: new Set(reads), aboutUser: new Map(aboutUser) };
}

const lowerCamel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export type ServiceName = keyof typeof services;

export const SERVICE_NAMES = Object.keys(services) as readonly ServiceName[];

type RpcContracts = { readonly [Name in ServiceName]: RpcContract<(typeof services)[Name]['service']> };

/** The rpc contract of every service, by the service's name. */
export const rpcContracts = Object.fromEntries(
  SERVICE_NAMES.map((name) => [name, contract(services[name].service, services[name].definition)]),
) as unknown as RpcContracts;
