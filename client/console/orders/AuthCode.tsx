import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ask } from '../calls.ts';
import { CodeField } from '../parts/CodeField.tsx';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';

const verifyType = 'EMAIL_VERIFY_CODE';

/** An order's authorization code, shown after a code sent by mail was entered. */
export function AuthCode({ orderId }: { orderId: string }) {
  const [code, setCode] = useState<string>();
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
      <p>To see the authorization code, enter a code that is sent to your e-mail address.</p>
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
