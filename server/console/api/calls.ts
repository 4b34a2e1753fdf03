import type { ConsoleCall } from './define-call.ts';
import { logout } from './logout.ts';
import { queryLoginUser } from './user/query-login-user.ts';

/** Every call of the console backend, in the order of the contract. */
export const consoleCalls: readonly ConsoleCall[] = [logout, queryLoginUser];
