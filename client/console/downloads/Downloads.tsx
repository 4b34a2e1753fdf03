import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import { DownloadResult } from '../../download/DownloadResult.tsx';
import { type Download, type DownloadProduct, requestDownload } from '../../download/products.ts';
import { useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Problem } from '../parts/Problem.tsx';

/** The packages on offer, and the address of the chosen one. */
export default function Downloads() {
  const products = useCall<DownloadProduct[]>(calls.listDownloadProduct, { orderProductType: 'ENTERPRISE' });
  const [download, setDownload] = useState<Download>();
  const choose = useMutation({
    mutationFn: (productType: string) => requestDownload(productType, 'COMMUNITY_VERSION'),
    onSuccess: setDownload,
  });

  return (
    <>
      <Loaded query={products}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing to download at present" />
          ) : (
            <ul className="console-list">
              {list.map(({ productType, deployTypeName, cpuArchName, version }) => (
                <li key={productType}>
                  <span>
                    {deployTypeName}, {cpuArchName}
                  </span>
                  <span className="figure">{version}</span>
                  <button type="button" className="button" onClick={() => choose.mutate(productType)}>
                    Get the address<span className="visually-hidden"> of {productType}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {choose.error && <Problem sentence={choose.error.message} />}
      {download && <DownloadResult download={download} />}
    </>
  );
}
