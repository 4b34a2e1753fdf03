import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { composeMail } from '../console/messages/compose.ts';
import { patience } from '../testing/patience.ts';
import { createSender } from './create-sender.ts';
import { mailSender } from './mail.ts';
import { ChannelDown, type Message, MessageRefused } from './message.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-senders-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const logged: Record<string, unknown>[] = [];
const log = pino({ base: null }, { write: (text: string) => logged.push(JSON.parse(text)) });
const config = {
  smtpUrl: undefined,
  mailFrom: undefined,
  smsUrl: undefined,
  smsToken: undefined,
  dataDir,
  publicUrl: 'https://site.example',
};
const mail = composeMail('ada@site.example', 'Millrace', {
  subject: 'Grüße & <b>codes</b>',
  paragraphs: ['One <script>alert(1)</script> sentence.'],
  code: '012345',
});

describe('a real mail server', () => {
  let server: SMTPServer;
  const received: { envelope: string[]; source: Buffer }[] = [];
  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          received.push({
            envelope: session.envelope.rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks),
          });
          done();
        });
      },
      onRcptTo({ address }, _session, done) {
        done(address.startsWith('gone@') ? new Error(`no mailbox <${address}>`) : null);
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return () => new Promise<void>((closed) => server.close(closed));
  });

  test('gets text and HTML, and the HTML runs and loads nothing', async () => {
    const { port } = server.server.address() as AddressInfo;
    const sender = await createSender({ ...config, smtpUrl: `smtp://127.0.0.1:${port}` }, 'Millrace', log);
    await sender.send(mail);
    sender.close();
    const [letter] = received;
    const parsed = await PostalMime.parse(letter?.source ?? '');
    expect([letter?.envelope, parsed.from?.address, parsed.subject]).toEqual([
      ['ada@site.example'],
      'no-reply@site.example',
      'Grüße & <b>codes</b>',
    ]);
    expect(parsed.text).toContain('012345');
    expect(parsed.html).not.toMatch(/<script|https?:\/\/|src=/);
  });

  test('that refuses a mail is quoted in the log, without the address', async () => {
    const { port } = server.server.address() as AddressInfo;
    const sender = await createSender({ ...config, smtpUrl: `smtp://127.0.0.1:${port}` }, 'Millrace', log);
    const error: unknown = await sender.send({ ...mail, to: 'gone@site.example' }).catch((refusal) => refusal);
    sender.close();
    log.error({ err: error }, 'not sent');
    expect(JSON.stringify(logged.at(-1))).toContain('550 no mailbox <(address)>');
    expect(JSON.stringify(logged.at(-1))).not.toContain('gone@');
  });
});

describe('what concerns a single mail and what all of them, by the answer of a mail server', () => {
  const ready = ['220 ready', '250 hello'];
  test.each([
    ['a greeting that refuses for now', ['421 too busy'], ChannelDown],
    ['a greeting that refuses', ['554 not from here'], ChannelDown],
    ['a refused sender', [...ready, '553 sender'], ChannelDown],
    ['a sender refused for now', [...ready, '451 later'], ChannelDown],
    ['a refused recipient', [...ready, '250 ok', '550 5.1.1 no mailbox'], MessageRefused],
    ['a recipient refused for now', [...ready, '250 ok', '450 4.2.0 greylisted'], MessageRefused],
    ['a recipient, as the server stops', [...ready, '250 ok', '421 stopping'], ChannelDown],
    ['a recipient, as its disk is full', [...ready, '250 ok', '452 4.3.1 insufficient storage'], ChannelDown],
    ['a refused text', [...ready, '250 ok', '250 ok', '354 go on', '554 5.7.1 spam'], MessageRefused],
    ['a closed connection', [...ready, '250 ok', '250 ok', '354 go on'], ChannelDown],
  ])('%s', async (_what, answers, error) => {
    const url = await scripted(answers);
    const sender = await createSender({ ...config, smtpUrl: url }, 'Millrace', log);
    await expect(sender.send(mail)).rejects.toThrow(error);
    sender.close();
  });

  test('a wrong password', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    const sender = await createSender({ ...config, smtpUrl: `smtp://a:b@127.0.0.1:${port}` }, 'Millrace', log);
    await expect(sender.send(mail)).rejects.toThrow(ChannelDown);
    sender.close();
    await new Promise<void>((closed) => server.close(closed));
  });

  /** A mail server that says one line at once and one after each of the client's, and then closes the connection. */
  async function scripted(answers: readonly string[]): Promise<string> {
    const server = createSocketServer((socket) => {
      const left = [...answers];
      let inText = false;
      const say = () => {
        const next = left.shift();
        if (next === undefined) return socket.destroy();
        inText = next.startsWith('354');
        return socket.write(`${next}\r\n`);
      };
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        if (!inText || chunk.toString().endsWith('\r\n.\r\n')) say();
      });
      say();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});

test.each([
  ['after the connection', ''],
  ['after the greeting', '220 ready\r\n'],
])('a mail server that says nothing %s is left, and its connection closed', async (_when, greeting) => {
  const sockets: Socket[] = [];
  const server = createSocketServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.resume().write(greeting);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = await mailSender(`smtp://127.0.0.1:${port}`, 'a@site.example', { connectMs: 400, waitMs: 800 });
  // On a starved machine the time for the connection may be over before the driver knows of it.
  await expect(send(mail)).rejects.toThrow(/Connection timeout|Greeting never received|in time/);
  const isLeft = (socket: Socket) => socket.readableEnded || socket.destroyed;
  await vi.waitUntil(() => sockets.length > 0 && sockets.every(isLeft), patience);
  expect(sockets).toHaveLength(1);
  server.close();
});

test('an unreachable mail server is named in the error', async () => {
  const sender = await createSender({ ...config, smtpUrl: 'smtp://127.0.0.1:1' }, 'Millrace', log);
  await expect(sender.send(mail)).rejects.toThrow('The mail was not accepted: connect ECONNREFUSED 127.0.0.1:1');
  sender.close();
});

test('without a mail server a mail becomes a file that only its owner can read, and a log line', async () => {
  await (await createSender(config, 'Millrace', log)).send(mail);
  const [name = ''] = readdirSync(join(dataDir, 'outbox'));
  const file = join(dataDir, 'outbox', name);
  expect(name).toMatch(/^\d+-[0-9a-f]{8}\.json$/);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(mail);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(logged.at(-1)).toMatchObject({ file, channel: 'mail' });
  expect(JSON.stringify(logged)).not.toContain('012345');
});

test('an SMS is sent to the gateway as documented, and a refusal is an error', async () => {
  const seen: { headers: unknown; body: string }[] = [];
  const gateway = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    seen.push({
      headers: [req.method, req.headers.authorization, req.headers['content-type']],
      body: Buffer.concat(chunks).toString(),
    });
    res.writeHead([202, 500, 409, 401][seen.length - 1] ?? 500).end();
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  const sender = await createSender(
    { ...config, smsUrl: `http://127.0.0.1:${port}/sms`, smsToken: 't' },
    'Millrace',
    log,
  );
  const message: Message = {
    channel: 'sms',
    to: '+8613800138000',
    subject: '',
    text: 'Millrace: 012345',
    code: '012345',
  };
  await sender.send(message);
  const failure = () => sender.send(message).then(undefined, (error: unknown) => error);
  // Only the second concerns this message alone.
  expect([await failure(), await failure(), await failure()]).toMatchObject([
    { name: 'ChannelDown', message: expect.stringContaining('answered 500') },
    { name: 'MessageRefused', message: expect.stringContaining('answered 409') },
    { name: 'ChannelDown', message: expect.stringContaining('answered 401') },
  ]);
  gateway.close();
  expect(seen[0]).toEqual({
    headers: ['POST', 'Bearer t', 'application/json'],
    body: '{"to":"+8613800138000","text":"Millrace: 012345"}',
  });
});
