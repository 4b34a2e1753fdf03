import type { JobCall } from './jobs/calls.ts';

const A = '/rdp/console/api/v1';
const B = '/cloudcanal/console/api/v1/inner';

/** Exact paths of every call: the proxy's table, the client and the backend read them from here. */
export const calls = {
  addViewLog: '/addviewlog',
  getPublicKey: '/getPublicKey',
  login: '/login',
  register: '/register',
  registerFromMarket: '/registerFromMarket',
  resetPasswordUnlogin: '/resetpwdunlogin',
  logout: '/logout',
  auth: '/auth',
  sendCode: `${A}/verify/sendcode`,
  sendCodeShort: '/verify/sendcode',
  sendCodeInLoginState: `${B}/verify/sendcodeinloginstate`,
  sendCodeInLoginStateA: `${A}/verify/sendcodeinloginstate`,
  listCountry: `${A}/constant/listcountry`,
  ssoType: `${A}/constant/sso_type`,
  listDownloadProduct: `${A}/constant/listDownloadProduct`,
  queryLoginUser: `${A}/user/queryLoginUser`,
  updateUserEmail: `${A}/user/updateUserEmail`,
  updateProfile: `${B}/account/updateprofile`,
  changePassword: `${B}/account/changepassword`,
  listSessions: `${B}/account/listsessions`,
  endSessions: `${B}/account/endsessions`,
  listIdentities: `${B}/account/listidentities`,
  removeIdentity: `${B}/account/removeidentity`,
  recordAndReturnDownloadUrl: `${A}/user/recordandreturndownloadurl`,
  getBuyTimeStandard: `${B}/authcode/order/getbuytimestandard`,
  queryOldResource: `${B}/authcode/order/queryoldresource`,
  calculatePrice: `${B}/authcode/order/calculateprice`,
  getCurrentLadderDiscount: `${B}/authcode/order/getcurrentladderdiscount`,
  createOrder: `${B}/authcode/order/create`,
  queryOrders: `${B}/authcode/order/query`,
  showAuthCode: `${B}/authcode/order/showauthcode`,
  closeOrder: `${B}/authcode/order/close`,
  installation: `${B}/license/installation`,
  install: `${B}/license/install`,
  getConfigValue: `${B}/license/systemconfig/getconfigvalue`,
  listPaymentMethods: `${B}/saas/listpaymentmethods`,
  createSession: `${B}/saas/createsession`,
  subscription: `${B}/saas/subscription`,
  cancelSubscription: `${B}/saas/cancelsubscription`,
  listInvoices: `${B}/saas/listinvoices`,
  listBilling: `${B}/billing/list`,
  getBillingDetail: `${B}/billing/getdetailbyid`,
} as const;

export type Call = (typeof calls)[keyof typeof calls] | JobCall;

/** The answer of every call with a body. */
export type Envelope<T> =
  | { success: true; data: T }
  | {
      success: false;
      code: string;
      msg: string;
      requestId?: string;
      fields?: Record<string, string>;
      /** What the next step needs, e.g. PROFILE_NEEDED of `/auth`. */
      data?: unknown;
    };
