import { Injectable } from '@nestjs/common';
import { allSpecialties } from './specialty-options.js';
import { SpecialtyRepository } from '../store/specialty.repository.js';

/** Every known specialty, sorted (PEOPLE-13); public. */
@Injectable()
export class ListSpecialties {
  constructor(private readonly specialties: SpecialtyRepository) {}

  async execute(): Promise<string[]> {
    return allSpecialties(await this.specialties.inUse());
  }
}
