import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ask, useCall } from '../calls.ts';
import { CodeField } from '../parts/CodeField.tsx';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { Loaded } from '../parts/Loaded.tsx';

/** An order's authorization code, shown after a code sent by mail or SMS was entered. */
export function AuthCode({ orderId }: { orderId: string }) {
  const user = useCall<CurrentUser>(calls.queryLoginUser);
  return <Loaded query={user}>{({ email }) => <ShowAuthCode orderId={orderId} bySms={email === null} />}</Loaded>;
}

/** @param bySms for an account with a phone number alone */
function ShowAuthCode({ orderId, bySms }: { orderId: string; bySms: boolean }) {
  const [code, setCode] = useState<string>();
  const verifyType = bySms ? 'SMS_VERIFY_CODE' : 'EMAIL_VERIFY_CODE';
  if (code !== undefined) {
    return (
      <div className="console-copy">
        <code>{code}</code>
        <CopyButton text={code} name="the authorization code" />
      </div>
    );
  }
  return (
    <>
      <p>To see the authorization code, enter a code that is sent to your {bySms ? 'phone' : 'e-mail address'}.</p>
      <ConsoleForm
        name={`code-${orderId}`}
        initial={{ verifyCode: '' }}
        submit="Show the authorization code"
        onSend={async ({ verifyCode }) => {
          const { authCode } = await ask<{ authCode: string }>(calls.showAuthCode, { orderId, verifyType, verifyCode });
          setCode(authCode);
          return undefined;
        }}
      >
        <CodeField path={calls.sendCodeInLoginState} body={() => ({ verifyType, verifyCodeType: 'SHOW_AUTH_CODE' })} />
      </ConsoleForm>
    </>
  );
}
