import type {
  ClaimForPostRequest,
  ClaimForProfileRequest,
  DeleteImageRequest,
  DeleteImageResponse,
  GetImageRequest,
  Image,
  PostClaim,
  ProfileClaim,
  ReleaseClaimRequest,
  ReleaseClaimResponse,
  Storage,
} from '@pulso/contracts/media/v1/media';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { ClaimForPost } from './claim-for-post.js';
import { ClaimForProfile } from './claim-for-profile.js';
import { ReleaseClaim } from './release-claim.js';
import { DeleteImage } from './delete-image.js';
import { GetImage } from './get-image.js';
import { GetStorage } from './get-storage.js';

@RpcController(rpcContracts.media)
export class ImageGrpc {
  constructor(
    private readonly getImageUseCase: GetImage,
    private readonly deleteImageUseCase: DeleteImage,
    private readonly getStorageUseCase: GetStorage,
    private readonly claimForPostUseCase: ClaimForPost,
    private readonly claimForProfileUseCase: ClaimForProfile,
    private readonly releaseClaimUseCase: ReleaseClaim,
  ) {}

  getImage({ id }: GetImageRequest): Promise<Image> {
    return this.getImageUseCase.execute(id);
  }

  async deleteImage({ id }: DeleteImageRequest): Promise<DeleteImageResponse> {
    await this.deleteImageUseCase.execute(id);
    return {};
  }

  getStorage(): Promise<Storage> {
    return this.getStorageUseCase.execute();
  }

  claimForPost(request: ClaimForPostRequest): Promise<PostClaim> {
    return this.claimForPostUseCase.execute(request);
  }

  claimForProfile({ id }: ClaimForProfileRequest): Promise<ProfileClaim> {
    return this.claimForProfileUseCase.execute(id);
  }

  async releaseClaim(request: ReleaseClaimRequest): Promise<ReleaseClaimResponse> {
    await this.releaseClaimUseCase.execute(request);
    return {};
  }
}
