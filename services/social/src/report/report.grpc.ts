import { rpcContracts } from '@pulso/contracts/rpc';
import type { CreateReportRequest, CreateReportResponse } from '@pulso/contracts/social/v1/social';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { CreateReport } from './create-report.js';

@RpcController(rpcContracts.social)
export class ReportGrpc {
  constructor(private readonly createReportUseCase: CreateReport) {}

  createReport(request: CreateReportRequest): Promise<CreateReportResponse> {
    return this.createReportUseCase.execute(request);
  }
}
