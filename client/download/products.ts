import { isRecord } from '../browser/json.ts';
import { call } from '../call.ts';
import { calls } from '../contract/calls.ts';

/** A package that can be downloaded. */
export interface DownloadProduct {
  productType: string;
  deployType: string;
  deployTypeName: string;
  cpuArch: string;
  cpuArchName: string;
  version: string;
}

/** A package's addresses, valid for an hour. */
export interface Download {
  version: string;
  sha256: string;
  direct: string;
  wget: string;
  curl: string;
  expiresAt: number;
}

export type Edition = 'ENTERPRISE_VERSION' | 'COMMUNITY_VERSION';

const names = ['productType', 'deployType', 'deployTypeName', 'cpuArch', 'cpuArchName', 'version'];

const texts = (value: Record<string, unknown>, names: string[]) =>
  names.every((name) => typeof value[name] === 'string');

function isProduct(value: unknown): value is DownloadProduct {
  return isRecord(value) && texts(value, names);
}

/** The available packages. */
export async function listProducts(orderProductType: string): Promise<DownloadProduct[]> {
  const answer = await call(calls.listDownloadProduct, { orderProductType });
  if (!answer.success) throw new Error(answer.msg);
  return Array.isArray(answer.data) ? answer.data.filter(isProduct) : [];
}

/** Records a download and returns its addresses. */
export async function requestDownload(productType: string, productVersionType: Edition): Promise<Download> {
  const answer = await call(calls.recordAndReturnDownloadUrl, { productType, productVersionType });
  if (!answer.success) throw new Error(answer.msg);
  const { data } = answer;
  const addresses = isRecord(data) ? data.downloadUrl : undefined;
  if (!isRecord(data) || !isRecord(addresses)) throw new Error('The answer contains no download.');
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    version: text(data.version),
    sha256: text(data.sha256),
    direct: text(addresses.direct),
    wget: text(addresses.wget),
    curl: text(addresses.curl),
    expiresAt: typeof data.expiresAt === 'number' ? data.expiresAt : 0,
  };
}
