import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { listPackages, sha256Of } from '../../downloads/packages.ts';
import { ConsoleError } from '../../errors.ts';
import { signAddress } from '../../signed-address.ts';
import { signedInCall } from '../define-call.ts';

const schema = z.strictObject({
  productType: z.string().min(1).max(200),
  productVersionType: z.enum(['ENTERPRISE_VERSION', 'COMMUNITY_VERSION']),
});

/** Records a download and returns its address, signed and valid for one hour. */
export const recordAndReturnDownloadUrl = signedInCall(
  calls.recordAndReturnDownloadUrl,
  schema,
  async ({ session, body }, services) => {
    const { database, secretKey, config, now } = services;
    const packages = await listPackages(services);
    const found = packages.find(({ productType }) => productType === body.productType);
    if (!found) throw new ConsoleError('NO_PACKAGE');
    const signed = signAddress(secretKey, `/downloads/${found.file}`, now());
    await database.run(
      'INSERT INTO download (id, uid, product_type, version_type, version, at) VALUES ($1, $2, $3, $4, $5, $6)',
      [randomUUID(), session.uid, found.productType, body.productVersionType, found.version, now()],
    );
    const direct = config.publicUrl + signed.path;
    return {
      version: found.version,
      sha256: await sha256Of(found.path),
      downloadUrl: {
        direct,
        wget: `wget -c -O ${found.file} '${direct}'`,
        curl: `curl -fL -C - -o ${found.file} '${direct}'`,
      },
      expiresAt: signed.expiresAt,
    };
  },
);
