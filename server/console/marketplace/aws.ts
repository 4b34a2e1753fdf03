import { AwsClient } from 'aws4fetch';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { ConsoleError } from '../errors.ts';
import type { MarketplaceResolver } from './resolver.ts';

const waitMs = 6_000;

interface AwsMarketplace {
  /** Address of the metering service. */
  url: string;
  region: string;
  keyId: string;
  secret: string;
  /** Product code; tokens for the seller's other products are not accepted. */
  product: string;
}

const answerSchema = z.object({
  // Newer products get no CustomerIdentifier, older ones no LicenseArn.
  CustomerAWSAccountId: z.string().min(1),
  LicenseArn: z.string().min(1).optional(),
  ProductCode: z.string(),
});
const faultSchema = z.object({ __type: z.string() });
/** AWS's errors for a token that is unknown or too old. */
const badToken = /(^|#)(InvalidTokenException|ExpiredTokenException)$/;

/** `ResolveCustomer` of the AWS Marketplace Metering Service. */
export function awsMarketplace({ url, region, keyId, secret, product }: AwsMarketplace, log: Log): MarketplaceResolver {
  const aws = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 'aws-marketplace',
    region,
    retries: 0,
  });

  async function ask(token: string): Promise<Response> {
    try {
      return await aws.fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-amz-json-1.1',
          'X-Amz-Target': 'AWSMPMeteringService.ResolveCustomer',
        },
        body: JSON.stringify({ RegistrationToken: token }),
        redirect: 'error',
        signal: AbortSignal.timeout(waitMs),
      });
    } catch (cause) {
      throw silent(cause instanceof Error ? cause.name : 'unknown');
    }
  }

  function silent(reason: string): ConsoleError {
    log.warn({ reason }, 'AWS Marketplace did not answer for a registration token');
    return new ConsoleError('MARKETPLACE_SILENT');
  }

  return {
    async resolve(token) {
      const response = await ask(token);
      const body: unknown = await response.json().catch(() => undefined);
      if (!response.ok) {
        const fault = faultSchema.safeParse(body).data?.__type ?? '';
        if (badToken.test(fault)) throw new ConsoleError('BAD_MARKETPLACE_TOKEN');
        throw silent(`${response.status} ${fault.slice(0, 100)}`);
      }
      const answer = answerSchema.safeParse(body);
      if (!answer.success) throw silent('an answer of an unexpected shape');
      const { CustomerAWSAccountId: customer, LicenseArn, ProductCode } = answer.data;
      if (ProductCode !== product) throw new ConsoleError('BAD_MARKETPLACE_TOKEN');
      return { purchase: LicenseArn ?? `${customer}/${ProductCode}`, customer, product: ProductCode };
    },
  };
}
