import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dayOf } from '../../client/contract/dates.ts';
import { writeApplyCode } from '../../server/console/licensing/apply-code.ts';
import { verifyAuthCode } from '../../server/console/licensing/auth-code.ts';
import { licencePublicKey } from '../../server/console/licensing/licence-key.ts';
import { errorMessage } from '../../server/error-message.ts';
import { reportErrors, runCommand, UsageError } from './open-console.ts';

const usage = `npm run licence -- apply-code [links in use]   an apply code of a made-up installation, for testing
npm run licence -- public-key                  the key that verifies codes (JWK)
npm run licence -- verify <code> [key file]    checks a code offline and says what it allows`;

const [action = '', first = '', second = ''] = process.argv.slice(2);

async function verify(code: string, publicKey: string): Promise<void> {
  try {
    const { id, installation, edition, links, from, to } = await verifyAuthCode(code, publicKey, Date.now());
    console.log(
      `Valid: ${edition}, ${links} links, ${dayOf(from)} to ${dayOf(to)}.\nLicence ${id}, installation ${installation}.`,
    );
  } catch (error) {
    console.error(`Not valid: ${errorMessage(error)}.`);
    process.exitCode = 1;
  }
}

if (action === 'apply-code') {
  await reportErrors(usage, async () => {
    if (!/^\d{0,6}$/.test(first)) throw new UsageError(`“${first}” is not a number of links.`);
    console.log(writeApplyCode({ installation: randomBytes(16).toString('base64url'), used: Number(first) }));
  });
} else if (action === 'verify' && second !== '') {
  await reportErrors(usage, async () => verify(first, readFileSync(second, 'utf8')));
} else {
  await runCommand(usage, async (services) => {
    if (action === 'public-key') return console.log(await licencePublicKey(services));
    if (action !== 'verify' || first === '') throw new UsageError(`There is no action “${action}”.`);
    await verify(first, await licencePublicKey(services));
  });
}
