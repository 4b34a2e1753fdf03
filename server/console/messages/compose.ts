import type { Message } from '../../senders/message.ts';

/** The content of a mail, before it is laid out. */
export interface Letter {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: readonly string[];
  /** Shown large, for the reader to type in. */
  code?: string;
  /** A button that links to an absolute address. */
  action?: { label: string; href: string };
}

/** A letter as a mail, in text and in HTML that looks like the site; it loads nothing from elsewhere. */
export function composeMail(to: string, brandName: string, letter: Letter): Message {
  const { subject, paragraphs, code, action } = letter;
  const text = [
    ...paragraphs,
    ...(code ? [code] : []),
    ...(action ? [`${action.label}: ${action.href}`] : []),
    brandName,
  ];
  return {
    channel: 'mail',
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: htmlOf(brandName, letter),
    ...(code && { code }),
  };
}

function htmlOf(brandName: string, { subject, paragraphs, code, action }: Letter): string {
  const body = [
    ...paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`),
    ...(code
      ? [
          `<p style="margin:0 0 16px;font:600 28px/1.2 ui-monospace,monospace;letter-spacing:4px">${escapeHtml(code)}</p>`,
        ]
      : []),
    ...(action
      ? [
          `<p style="margin:0 0 16px"><a href="${escapeHtml(action.href)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0f5fa8;color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
        ]
      : []),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#fbf9f4;color:#1c2430;font:17px/1.65 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
${body.join('\n')}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d9d5cb;color:#5b6675;font-size:15px">${escapeHtml(brandName)}</p>
</div></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
