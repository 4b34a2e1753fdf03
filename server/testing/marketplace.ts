import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';
import { z } from 'zod';
import { startLocalServer } from './local-server.ts';

/** The stand-in's answer to a registration token: a purchase, or the name of AWS's exception. */
export type MarketplaceAnswer = object | string;

/** A stand-in for the AWS Marketplace Metering Service on loopback that checks what it receives. */
export interface AwsMarketplaceStandIn {
  settings: Record<string, string>;
  answers: Map<string, MarketplaceAnswer>;
  /** Tokens that were looked up. */
  asked: string[];
  /** What was wrong with the requests so far. */
  faults: string[];
  close(): Promise<void>;
}

const keyId = 'AKIDEXAMPLE';
const secret = 'a secret key of the seller';
const product = 'prod-millrace';

export async function startAwsMarketplace(): Promise<AwsMarketplaceStandIn> {
  const answers = new Map<string, MarketplaceAnswer>();
  const asked: string[] = [];
  const faults: string[] = [];
  const check = (right: boolean, fault: string) => {
    if (!right) faults.push(fault);
  };
  const server = await startLocalServer(async (req, res) => {
    const body = await text(req);
    check(req.method === 'POST' && req.url === '/', 'address');
    check(req.headers['x-amz-target'] === 'AWSMPMeteringService.ResolveCustomer', 'X-Amz-Target');
    check(req.headers['content-type'] === 'application/x-amz-json-1.1', 'Content-Type');
    check(req.headers.authorization === (await signatureOf(req, body)), 'Authorization');
    const parsed = z.strictObject({ RegistrationToken: z.string() }).safeParse(JSON.parse(body));
    check(parsed.success, 'body');
    const token = parsed.data?.RegistrationToken ?? '';
    asked.push(token);
    const { status, content } = answerOf(answers.get(token) ?? 'InvalidTokenException');
    res.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
  });
  const url = `${server.url}/`;

  /** The signature of a client with the right secret. */
  function signatureOf(req: IncomingMessage, body: string): Promise<string> {
    const datetime = String(req.headers['x-amz-date']);
    const headers = { 'X-Amz-Target': String(req.headers['x-amz-target']) };
    const request = { method: 'POST', url, headers, body, datetime };
    const credentials = { accessKeyId: keyId, secretAccessKey: secret, service: 'aws-marketplace' };
    return new AwsV4Signer({ ...request, ...credentials, region: 'us-east-1' }).authHeader();
  }

  return {
    settings: {
      AWS_MARKETPLACE_URL: url,
      AWS_MARKETPLACE_KEY_ID: keyId,
      AWS_MARKETPLACE_SECRET: secret,
      AWS_MARKETPLACE_PRODUCT: product,
    },
    answers,
    asked,
    faults,
    close: server.close,
  };
}

/** AWS names a failed request's fault in its body. */
function answerOf(answer: MarketplaceAnswer): { status: number; content: object } {
  if (typeof answer === 'object') return { status: 200, content: answer };
  const content = { __type: `com.amazonaws.marketplacemetering#${answer}`, message: 'No.' };
  return { status: answer.startsWith('Internal') ? 500 : 400, content };
}
