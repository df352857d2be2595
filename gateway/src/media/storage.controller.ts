import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MediaClient } from '../clients.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { type StorageUsage, storageSchema } from './storage.dto.js';

@ApiTags('Media')
@Controller('api/storage')
export class StorageController {
  constructor(private readonly media: MediaClient) {}

  @Get()
  @Endpoint({
    summary: 'How much of the caller’s storage is used',
    access: 'private',
    status: 200,
    answer: storageSchema,
  })
  get(): Promise<StorageUsage> {
    return this.media.getStorage({});
  }
}
