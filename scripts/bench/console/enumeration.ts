import { randomUUID } from 'node:crypto';
import { calls } from '../../../client/contract/calls.ts';
import { hashPassword } from '../../../server/console/account/passwords.ts';
import type { Scene } from '../../../server/testing/kills/scene.ts';
import { type Row, round } from '../record.ts';
import { median, post } from './clients.ts';
import { accountWithPassword, password } from './sign-ins.ts';

const pairs = 80;
const mostMs = 2;

type Question = (email: string) => { path: string; body: object };

const verifyType = 'EMAIL_VERIFY_CODE';
const questions: Record<string, Question> = {
  'wrong password': (account) => ({
    path: calls.login,
    body: { account, loginType: 'PASSWORD', password: 'a wrong one' },
  }),
  'wrong code': (account) => ({ path: calls.login, body: { account, loginType: 'VERIFY', verifyCode: '000000' } }),
  'code for sign-up': (email) => ({ path: calls.sendCode, body: { email, verifyType, verifyCodeType: 'REGISTER' } }),
  'code for reset': (email) => ({
    path: calls.sendCode,
    body: { email, verifyType, verifyCodeType: 'RESET_PASSWORD' },
  }),
  'sign-up': (email) => ({ path: calls.register, body: { userName: 'Eve', email, verifyCode: '000000', password } }),
  reset: (email) => ({ path: calls.resetPasswordUnlogin, body: { email, verifyCode: '000000', password } }),
};

/** Queries addresses with and without an account in turn: differences in bytes and in the median time. */
export async function measureEnumeration(scene: Scene): Promise<Row[]> {
  const stored = await hashPassword(password);
  const rows: Row[] = [];
  for (const [name, question] of Object.entries(questions)) {
    const times = { known: [] as number[], unknown: [] as number[] };
    const texts = new Set<string>();
    // Each address once: a second query about one would hit a limit.
    for (let pair = 0; pair < pairs; pair += 1) {
      const known = `${randomUUID()}@known.example`;
      await accountWithPassword(scene, known, stored);
      const both = [
        ['known', known],
        ['unknown', `${randomUUID()}@other.example`],
      ] as const;
      for (const [kind, email] of pair % 2 === 0 ? both : both.toReversed()) {
        const { path, body } = question(email);
        const { status, text, ms } = await post(scene, path, body);
        times[kind].push(ms);
        texts.add(`${status} ${text}`);
      }
    }
    const difference = Math.abs(median(times.known) - median(times.unknown));
    const lengths = [...texts].map((text) => text.length);
    rows.push({
      question: name,
      'different answers': texts.size - 1,
      'bytes of difference': Math.max(...lengths) - Math.min(...lengths),
      'known ms': round(median(times.known), 2),
      'unknown ms': round(median(times.unknown), 2),
      'within 2 ms': difference <= mostMs ? 'yes' : 'no',
    });
  }
  return rows;
}
