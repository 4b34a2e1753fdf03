import { report } from '../../browser/report.ts';
import { local, session } from '../../browser/storage.ts';
import { call } from '../../call.ts';
import { type Call, calls, type Envelope } from '../../contract/calls.ts';
import { fingerprint } from '../../visits/fingerprint.ts';
import { finishLogin } from '../finish-login.ts';
import { keepProfile } from '../needed-profile.ts';
import { NoEncryption, PasswordTooLong, sealPassword } from './seal-password.ts';

/** A form's values, by name. */
type Values = Record<string, string>;

/** @returns the refusal, or undefined when the page has moved on */
type Submit = (values: Values, plainAllowed: boolean) => Promise<Refusal | undefined>;
export type Refusal = Extract<Envelope<unknown>, { success: false }>;

const person = ({ email, phone, phoneAreaCode = '' }: Values) =>
  phone === undefined ? { email } : { phone: `${phoneAreaCode}${phone}` };

async function send(path: Call, body: object): Promise<Refusal | { data: unknown }> {
  const answer = await call(path, body);
  return answer.success ? { data: answer.data } : answer;
}

const login: Submit = async ({ account = '', phoneAreaCode = '', loginType, password = '', verifyCode }, plain) => {
  const proof = loginType === 'VERIFY' ? { verifyCode } : await sealPassword(password, plain);
  const answer = await send(calls.login, { account: phoneAreaCode + account, loginType, ...proof });
  if (!('data' in answer)) return answer;
  await finishLogin(answer.data);
  return undefined;
};

/** Signs in the visitor who has just signed up. */
async function signInWith(values: Values, plain: boolean): Promise<Refusal | undefined> {
  const account = values.email ?? `${values.phoneAreaCode ?? ''}${values.phone ?? ''}`;
  return login({ account, loginType: 'PASSWORD', password: values.password ?? '' }, plain);
}

/** Whether it worked; a failure is reported to the browser's console only. */
const signsIn = (values: Values, plain: boolean) =>
  signInWith(values, plain).then(
    (refusal) => refusal === undefined,
    (error: unknown) => {
      report('The account is not signed in.', error);
      return false;
    },
  );

/** Whether the form was sent without an answer: it may have counted, and then its code is used up. */
let isUnanswered = false;

/** Sends what a code confirms. @returns undefined if an earlier press turns out to have counted, and the visitor is in */
async function sendConfirmed(
  path: Call,
  body: object,
  values: Values,
  plain: boolean,
): Promise<Refusal | { data: unknown } | undefined> {
  const answer = await send(path, body).catch((error: unknown) => {
    isUnanswered = true;
    throw error;
  });
  if ('data' in answer || !isUnanswered) return answer;
  isUnanswered = false;
  return (await signsIn(values, plain)) ? undefined : answer;
}

/** Opens the login page, which shows a sentence once. */
function leadToLogin(notice: string): void {
  session.set('notice', notice);
  location.assign('/login');
}

const signUp =
  (path: Call, more: () => Promise<object>): Submit =>
  async (values, plain) => {
    const { userName, verifyCode, company = '', country = '', contactMe } = values;
    const body = {
      userName,
      ...person(values),
      verifyCode,
      ...(await sealPassword(values.password ?? '', plain)),
      company,
      country,
      contactMe: contactMe === 'on',
      ...(await more()),
    };
    const answer = await sendConfirmed(path, body, values, plain);
    if (!answer || !('data' in answer)) return answer;
    if (await signsIn(values, plain)) return undefined;
    // The account exists: sending the form again would be refused.
    leadToLogin('Your account is ready. Log in with it.');
    return undefined;
  };

const visit = async () => ({
  src: (local.get('source_for_cc') ?? session.get('source_for_cc') ?? '').slice(0, 1024),
  keyword: (local.get('kw_for_cc') ?? '').slice(0, 256),
});

const resetPassword: Submit = async (values, plain) => {
  const { verifyCode, password = '' } = values;
  const sealed = await sealPassword(password, plain);
  const body = { ...person(values), verifyCode, ...sealed };
  const answer = await sendConfirmed(calls.resetPasswordUnlogin, body, values, plain);
  if (!answer || !('data' in answer)) return answer;
  leadToLogin('Your new password is set. Log in with it.');
  return undefined;
};

const market = async () => ({
  marketplaceType: 'AWS',
  registerToken: new URLSearchParams(location.search).get('ref') ?? '',
  clientId: await fingerprint(),
});

/** Finishes a single sign-on whose provider did not supply enough. */
const finishProfile: Submit = async (values) => {
  const { state, requestId, verifyCode, company = '' } = values;
  const answer = await send(calls.auth, { state, requestId, ...person(values), verifyCode, company });
  if (!('data' in answer)) return answer;
  keepProfile(null);
  await finishLogin(answer.data);
  return undefined;
};

const tooLong = ({ message }: PasswordTooLong): Refusal => ({
  success: false,
  code: 'INVALID_FIELDS',
  msg: 'One field needs your attention.',
  fields: { password: message },
});

/** Without storage the next page does not know the session. */
const noStorage: Refusal = {
  success: false,
  code: 'NO_STORAGE',
  msg: 'This browser stores nothing for this site, so it cannot keep you signed in. Allow cookies and site data for this site, or free some disk space, and try again.',
};

function canStore(): boolean {
  try {
    localStorage.setItem('storage-check', '1');
    localStorage.removeItem('storage-check');
    return true;
  } catch {
    return false;
  }
}

/** What each form does. */
const submitters = new Map<string, Submit>([
  ['login', login],
  ['register', signUp(calls.register, visit)],
  ['registerFromMarket', signUp(calls.registerFromMarket, market)],
  ['resetPwd', resetPassword],
  ['profile', finishProfile],
]);

/**
 * Sends a form of that name.
 * @returns the refusal, or undefined when the page has moved on
 * @throws CallError, and what fetch throws
 */
export async function submit(name: string, values: Values, plainAllowed: boolean): Promise<Refusal | undefined> {
  const submitter = submitters.get(name);
  if (!submitter) throw new Error(`No form is named '${name}'.`);
  // Before anything is sent: a code can be used once.
  if (name !== 'resetPwd' && !canStore()) return noStorage;
  try {
    return await submitter(values, plainAllowed);
  } catch (error) {
    if (error instanceof PasswordTooLong) return tooLong(error);
    if (error instanceof NoEncryption) return { success: false, code: 'NO_ENCRYPTION', msg: error.message };
    throw error;
  }
}
