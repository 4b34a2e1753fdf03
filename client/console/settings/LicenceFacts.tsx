import type { Installation } from '../../contract/console/installation.ts';
import { counted } from '../../contract/counted.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { editionNames } from '../orders/edition-names.ts';
import { Moment } from '../parts/Moment.tsx';
import { Notice } from '../parts/Notice.tsx';

/** What the licence allows, until when, and what the seller needs to issue another. */
export function LicenceFacts({ installation, links }: { installation: Installation; links: number }) {
  const { edition, used, from, to, ended, applyCode } = installation;
  return (
    <>
      {ended !== null && (
        <Notice>
          The licence ended on <Moment at={ended} day />. Running jobs continue. Until a new code is entered, other jobs
          can start only within {counted(links, 'link')}.
        </Notice>
      )}
      {used > links && (
        <Notice>
          {counted(used, 'link')} are taken, and {links} {links === 1 ? 'is' : 'are'} allowed: a stopped job can start
          again only while fewer than {links} run, and no further job can be created.
        </Notice>
      )}
      <dl className="console-facts">
        <dt>Edition</dt>
        <dd>{editionNames[edition]}</dd>
        <dt>Links</dt>
        <dd>
          {used} of {links} taken
        </dd>
        {from !== null && (
          <>
            <dt>From</dt>
            <dd>
              <Moment at={from} />
            </dd>
          </>
        )}
        <dt>Until</dt>
        <dd>{to === null ? 'no end' : <Moment at={to} />}</dd>
        <dt>Apply code</dt>
        <dd className="console-copy">
          <code>{applyCode}</code>
          <CopyButton text={applyCode} name="the apply code" />
        </dd>
      </dl>
      <p className="field-hint console-more">The seller issues an authorization code for this apply code only.</p>
    </>
  );
}
