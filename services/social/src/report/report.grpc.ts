import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { CreateReportRequest, CreateReportResponse } from '@pulso/contracts/social/v1/social';
import { CreateReport } from './create-report.js';

@Controller()
export class ReportGrpc {
  constructor(private readonly createReportUseCase: CreateReport) {}

  @GrpcMethod('SocialService', 'CreateReport')
  createReport(request: CreateReportRequest): Promise<CreateReportResponse> {
    return this.createReportUseCase.execute(request);
  }
}
