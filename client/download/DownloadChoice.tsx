import { useState } from 'react';
import { Tabs } from '../ui/Tabs.tsx';
import { DownloadResult } from './DownloadResult.tsx';
import { type Download, type DownloadProduct, type Edition, requestDownload } from './products.ts';

const editions: [value: Edition, label: string][] = [
  ['ENTERPRISE_VERSION', 'Enterprise'],
  ['COMMUNITY_VERSION', 'Community'],
];

/** The requested package, and the request's state. */
interface Wanted {
  product: DownloadProduct;
  state: 'busy' | 'failed' | Download;
}

/** Deployment as tabs, edition, and a button for each processor that requests the addresses shown below it. */
export function DownloadChoice({ products }: { products: DownloadProduct[] }) {
  const [deployment, setDeployment] = useState(products[0]?.deployType ?? '');
  const [edition, setEdition] = useState<Edition>('ENTERPRISE_VERSION');
  const [wanted, setWanted] = useState<Wanted>();
  if (products.length === 0) return <p>There is nothing to download at present.</p>;

  const tabs = [...new Map(products.map(({ deployType, deployTypeName }) => [deployType, deployTypeName]))];

  async function request(product: DownloadProduct): Promise<void> {
    // Asking twice would record two downloads.
    if (wanted?.state === 'busy') return;
    const mine: Wanted = { product, state: 'busy' };
    setWanted(mine);
    const state = await requestDownload(product.productType, edition).catch(() => 'failed' as const);
    // Another deployment or edition may have been chosen meanwhile.
    setWanted((now) => (now === mine ? { product, state } : now));
  }

  return (
    <Tabs
      label="Deployment"
      tabs={tabs.map(([id, label]) => ({ id, label }))}
      selected={deployment}
      onSelect={(id) => {
        setDeployment(id);
        setWanted(undefined);
      }}
    >
      <fieldset>
        <legend>Edition</legend>
        {editions.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="edition"
              checked={value === edition}
              onChange={() => {
                setEdition(value);
                setWanted(undefined);
              }}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Processor</legend>
        {products
          .filter(({ deployType }) => deployType === deployment)
          .map((product) => (
            <button
              key={`${product.productType} ${product.cpuArch} ${product.version}`}
              type="button"
              className="button"
              aria-pressed={product === wanted?.product}
              aria-disabled={wanted?.state === 'busy'}
              onClick={() => void request(product)}
            >
              {product.cpuArchName} <small>{product.version}</small>
            </button>
          ))}
      </fieldset>
      {wanted && <Outcome state={wanted.state} />}
    </Tabs>
  );
}

function Outcome({ state }: Pick<Wanted, 'state'>) {
  if (state === 'busy') {
    return (
      <p role="status" className="dialog-wait">
        <span className="wheel" /> Fetching the addresses
      </p>
    );
  }
  if (state === 'failed') {
    return <p role="alert">The addresses could not be fetched. Choose the processor again in a moment.</p>;
  }
  return <DownloadResult download={state} />;
}
