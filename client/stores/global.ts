import { createStore } from './store.ts';

/** Site settings that account functions share. */
export interface GlobalSettings {
  deploySite: string;
  docPrefix: string;
  /** Single sign-on addresses by provider. */
  ssoTypes: Record<string, string>;
  loading: boolean;
  loginCallback: string;
}

/** Global settings; the server writes the deployment's onto <html>. */
export const globalStore = createStore<GlobalSettings>({
  deploySite: document.documentElement.dataset.deploySite ?? '',
  docPrefix: '/docs',
  ssoTypes: {},
  loading: false,
  loginCallback: 'login',
});

/** Changes some of the settings. */
export function setGlobal(change: Partial<GlobalSettings>): void {
  globalStore.set({ ...globalStore.get(), ...change });
}
