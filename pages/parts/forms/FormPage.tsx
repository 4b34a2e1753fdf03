import '../../../client/styles/forms.css';
import '../../../client/styles/fields.css';
import type { ReactNode } from 'react';
import type { Site } from '../../../client/contract/site.ts';

interface FormPageProps {
  site: Site;
  /** What the form does, for the script that runs it. */
  form: 'login' | 'register' | 'registerFromMarket' | 'resetPwd';
  /** Label of its button. */
  submit: string;
  title: string;
  lede: ReactNode;
  /** On the right, from 996 px wide. */
  panel: ReactNode;
  /** Links below the form. */
  after?: ReactNode;
  children: ReactNode;
}

/** Form on the left, panel on the right. */
export function FormPage({ site, form, submit, title, lede, panel, after, children }: FormPageProps) {
  return (
    <div className="form-split">
      <div className="form-column">
        <h1 id="form-title">{title}</h1>
        <p className="form-lede">{lede}</p>
        <p className="notice" data-without-js="">
          This form needs JavaScript, because passwords are encrypted before they are sent.
        </p>
        <form
          className="form"
          method="post"
          noValidate
          aria-labelledby="form-title"
          data-account-form={form}
          data-plain-password={site.plainPassword ? '' : undefined}
          data-oidc-name={form === 'login' ? site.capabilities.oidcName : undefined}
        >
          <fieldset className="form-fields">
            <legend className="visually-hidden">{title}</legend>
            {children}
            <button type="submit" className="button button-primary">
              {submit}
            </button>
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
