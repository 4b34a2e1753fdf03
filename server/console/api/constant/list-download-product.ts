import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { archName, deployName, listPackages } from '../../downloads/packages.ts';
import { signedInCall } from '../define-call.ts';

const schema = z.strictObject({ orderProductType: z.string().min(1).max(64) });

/** The packages on offer. */
export const listDownloadProduct = signedInCall(calls.listDownloadProduct, schema, async (_request, services) =>
  (await listPackages(services)).map(({ productType, deployType, cpuArch, version }) => ({
    productType,
    deployType,
    deployTypeName: deployName(deployType),
    cpuArch,
    cpuArchName: archName(cpuArch),
    version,
  })),
);
