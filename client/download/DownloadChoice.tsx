import { type FormEvent, useId } from 'react';
import type { DownloadProduct, Edition } from './products.ts';

interface DownloadChoiceProps {
  products: DownloadProduct[];
  busy: boolean;
  error?: string;
  onChoose: (productType: string, edition: Edition) => void;
}

/** Package and edition of a download. */
export function DownloadChoice({ products, busy, error, onChoose }: DownloadChoiceProps) {
  const id = useId();
  if (products.length === 0) return <p>There is nothing to download at present.</p>;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const edition = fields.get('edition') === 'COMMUNITY_VERSION' ? 'COMMUNITY_VERSION' : 'ENTERPRISE_VERSION';
    onChoose(String(fields.get('product')), edition);
  }

  return (
    <form className="dialog-form" onSubmit={submit}>
      <label htmlFor={id}>Package</label>
      <select className="input" id={id} name="product">
        {products.map(({ productType, deployTypeName, cpuArchName, version }) => (
          <option key={`${productType} ${deployTypeName} ${cpuArchName}`} value={productType}>
            {[deployTypeName, cpuArchName, version].filter(Boolean).join(', ')}
          </option>
        ))}
      </select>
      <fieldset>
        <legend>Edition</legend>
        <label>
          <input type="radio" name="edition" value="ENTERPRISE_VERSION" defaultChecked /> Enterprise
        </label>
        <label>
          <input type="radio" name="edition" value="COMMUNITY_VERSION" /> Community
        </label>
      </fieldset>
      {error && <p role="alert">{error}</p>}
      <button type="submit" className="button button-primary" aria-disabled={busy}>
        {busy ? 'Fetching the address' : 'Get the address'}
      </button>
    </form>
  );
}
