import { Injectable } from '@nestjs/common';
import type { ListSpecialtiesResponse } from '@pulso/contracts/identity/v1/identity';
import { SpecialtyRepository } from '../store/specialty.repository.js';
import { allSpecialties } from './specialty-options.js';

/** Every known specialty, sorted (PEOPLE-13); public. */
@Injectable()
export class ListSpecialties {
  constructor(private readonly specialties: SpecialtyRepository) {}

  async execute(): Promise<ListSpecialtiesResponse> {
    return { specialties: allSpecialties(await this.specialties.inUse()) };
  }
}
