import type { Installation } from '../../contract/console/installation.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { editionNames } from '../orders/edition-names.ts';
import { Moment } from '../parts/Moment.tsx';
import { Notice } from '../parts/Notice.tsx';

/** What the licence allows, until when, and what the seller needs for another one. */
export function LicenceFacts({ installation, links }: { installation: Installation; links: number }) {
  const { edition, used, from, to, ended, applyCode } = installation;
  return (
    <>
      {ended !== null && (
        <Notice>
          The licence ended on <Moment at={ended} day />. Jobs that run go on. Further ones begin within {links} links,
          until a new code is entered.
        </Notice>
      )}
      {used > links && (
        <Notice>
          {used} links are taken, and {links} are allowed: a job that is stopped starts again only while fewer than{' '}
          {links} run, and no further job can be made.
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
      <p className="field-hint console-more">
        The seller makes an authorization code for this apply code, and for no other.
      </p>
    </>
  );
}
