import { Injectable } from '@nestjs/common';
import type { ClaimForProfileRequest, ProfileClaim } from '@pulso/contracts/media/v1/media';
import { profileImageTicket } from '@pulso/contracts/media-tickets';
import { TicketSigner } from '@pulso/platform/auth/signed-ticket';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { notAttachable } from '../store/asset-errors.js';
import { ClaimRepository } from '../store/claim.repository.js';

/** Reserves an image of the caller for their profile, and signs a ticket for identity. Throws `media-not-attachable`. */
@Injectable()
export class ClaimForProfile {
  constructor(
    private readonly claims: ClaimRepository,
    private readonly writes: Writes,
    private readonly tickets: TicketSigner,
  ) {}

  async execute({ id: imageId }: ClaimForProfileRequest): Promise<ProfileClaim> {
    const { userId } = requireCaller();
    if (!isId(imageId)) throw notAttachable();
    const target = { id: userId, ownerId: userId, kind: 'image', purpose: 'avatar' } as const;
    await this.writes.run((transaction) => this.claims.claim([imageId], target, transaction));
    return { ticket: await this.tickets.sign(profileImageTicket, userId, { imageId }) };
  }
}
