import { changePassword } from './account/change-password.ts';
import { endSessions } from './account/end-sessions.ts';
import { listIdentities } from './account/list-identities.ts';
import { listSessions } from './account/list-sessions.ts';
import { removeIdentity } from './account/remove-identity.ts';
import { updateProfile } from './account/update-profile.ts';
import { addViewLog } from './add-view-log.ts';
import { auth } from './auth.ts';
import { calculatePrice } from './authcode/order/calculate-price.ts';
import { closeOrder } from './authcode/order/close.ts';
import { createOrder } from './authcode/order/create.ts';
import { getBuyTimeStandard } from './authcode/order/get-buy-time-standard.ts';
import { getCurrentLadderDiscount } from './authcode/order/get-current-ladder-discount.ts';
import { queryOrders } from './authcode/order/query.ts';
import { queryOldResource } from './authcode/order/query-old-resource.ts';
import { showAuthCode } from './authcode/order/show-auth-code.ts';
import { getBillingDetail } from './billing/get-detail-by-id.ts';
import { listBilling } from './billing/list.ts';
import { listCountry } from './constant/list-country.ts';
import { listDownloadProduct } from './constant/list-download-product.ts';
import { ssoType } from './constant/sso-type.ts';
import type { ConsoleCall } from './define-call.ts';
import { getPublicKey } from './get-public-key.ts';
import { install } from './license/install.ts';
import { installation } from './license/installation.ts';
import { getConfigValue } from './license/systemconfig/get-config-value.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { register } from './register.ts';
import { registerFromMarket } from './register-from-market.ts';
import { resetPasswordUnlogin } from './resetpwdunlogin.ts';
import { cancelSubscription } from './saas/cancel-subscription.ts';
import { createSession } from './saas/create-session.ts';
import { listInvoices } from './saas/list-invoices.ts';
import { listPaymentMethods } from './saas/list-payment-methods.ts';
import { subscription } from './saas/subscription.ts';
import { queryLoginUser } from './user/query-login-user.ts';
import { recordAndReturnDownloadUrl } from './user/record-and-return-download-url.ts';
import { updateUserEmail } from './user/update-user-email.ts';
import { sendCodeCalls } from './verify/send-code.ts';
import { sendCodeInLoginStateCalls } from './verify/send-code-in-login-state.ts';

/** Every call of the console backend, in the order of the contract. */
export const consoleCalls: readonly ConsoleCall[] = [
  addViewLog,
  getPublicKey,
  listCountry,
  listDownloadProduct,
  recordAndReturnDownloadUrl,
  ssoType,
  queryLoginUser,
  updateUserEmail,
  updateProfile,
  changePassword,
  listSessions,
  endSessions,
  listIdentities,
  removeIdentity,
  login,
  register,
  registerFromMarket,
  resetPasswordUnlogin,
  logout,
  auth,
  ...sendCodeCalls,
  ...sendCodeInLoginStateCalls,
  getBuyTimeStandard,
  queryOldResource,
  calculatePrice,
  getCurrentLadderDiscount,
  createOrder,
  queryOrders,
  showAuthCode,
  closeOrder,
  installation,
  install,
  getConfigValue,
  listPaymentMethods,
  createSession,
  subscription,
  cancelSubscription,
  listInvoices,
  listBilling,
  getBillingDetail,
];
