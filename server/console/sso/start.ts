import type { SsoTypes } from '../../../client/contract/console/sso.ts';
import type { ConsoleServices } from '../services.ts';
import { describeFailure } from './failure.ts';
import { attemptOf, newState, type SsoState } from './state.ts';

/** Where a sign-in with each configured provider starts; a provider that does not answer is left out. */
export async function startSignIns(
  services: ConsoleServices,
  about: Pick<SsoState, 'source' | 'target' | 'uid'>,
): Promise<SsoTypes> {
  const { sso, log, now } = services;
  const starts = sso.map(async (provider) => {
    const state = newState({ ...about, provider: provider.type }, now());
    try {
      return [[provider.type, (await provider.start(attemptOf(services, state))).href]];
    } catch (error) {
      log.warn({ provider: provider.type, ...describeFailure(error) }, 'an identity provider did not answer');
      return [];
    }
  });
  return Object.fromEntries((await Promise.all(starts)).flat());
}
