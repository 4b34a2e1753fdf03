import '../../../client/styles/forms.css';
import '../../../client/styles/fields.css';
import type { ReactNode } from 'react';
import type { Site } from '../../../client/contract/site.ts';
import { isReachable } from '../contact.ts';

function AccountsNotice({ site }: { site: Site }) {
  const { supportEmail } = site.brand;
  return (
    <div className="notice" role="note">
      <p>
        <strong>Accounts are not available on this server; they are planned for release 0.2.0.</strong> It serves the
        site, the documents and the blog; the form below is switched off.
        {isReachable(supportEmail) && (
          <>
            {' '}
            Questions go to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
          </>
        )}
      </p>
    </div>
  );
}

interface FormPageProps {
  site: Site;
  title: string;
  lede: ReactNode;
  /** On the right from 996 px on. */
  panel: ReactNode;
  /** Links below the form. */
  after?: ReactNode;
  children: ReactNode;
}

/** Form on the left, panel on the right. Without accounts the fields are switched off and a notice says so. */
export function FormPage({ site, title, lede, panel, after, children }: FormPageProps) {
  return (
    <div className="form-split">
      <div className="form-column">
        <h1 id="form-title">{title}</h1>
        <p className="form-lede">{lede}</p>
        {!site.accounts && <AccountsNotice site={site} />}
        <form className="form" method="post" aria-labelledby="form-title">
          <fieldset className="form-fields" disabled={!site.accounts}>
            <legend className="visually-hidden">{title}</legend>
            {children}
          </fieldset>
        </form>
        {after && <p className="form-after">{after}</p>}
      </div>
      <aside className="form-panel" aria-labelledby="panel-title">
        <div className="form-panel-inner">{panel}</div>
      </aside>
    </div>
  );
}
