import type { Money } from './orders.ts';

/** The signed-in user. */
export interface CurrentUser {
  uid: string;
  username: string;
  email: string | null;
  phone: string | null;
  company: string;
  country: string;
  createdAt: number;
  credits: Money;
  emailVerified: boolean;
}

export interface SessionInfo {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  browser: string;
  current: boolean;
}
