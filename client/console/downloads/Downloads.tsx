import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import { DownloadResult } from '../../download/DownloadResult.tsx';
import { type Download, type DownloadProduct, requestDownload } from '../../download/products.ts';
import { forPeople, useCall } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Table } from '../parts/Table.tsx';
import type { TableColumn } from '../parts/table-column.ts';

/** The packages on offer, and the download address of the chosen one. */
export default function Downloads() {
  const products = useCall<DownloadProduct[]>(calls.listDownloadProduct, { orderProductType: 'ENTERPRISE' });
  const [download, setDownload] = useState<Download>();
  const choose = useMutation({
    mutationFn: (productType: string) =>
      requestDownload(productType, 'COMMUNITY_VERSION').catch((error: unknown) => {
        throw forPeople(error);
      }),
    onSuccess: setDownload,
  });
  const columns: TableColumn<DownloadProduct>[] = [
    { name: 'Package', cell: ({ deployTypeName }) => deployTypeName },
    { name: 'Processor', cell: ({ cpuArchName }) => cpuArchName },
    { name: 'Version', cell: ({ version }) => <span className="figure">{version}</span> },
    {
      name: 'Action',
      hidden: true,
      cell: ({ productType }) => (
        <BusyButton busy={choose.isPending} onPress={() => choose.mutate(productType)}>
          Get the address<span className="visually-hidden"> of {productType}</span>
        </BusyButton>
      ),
    },
  ];

  return (
    <>
      <p className="console-lede">
        Each address is signed and works for one hour. An interrupted download can be resumed.
      </p>
      <Loaded query={products}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing to download at present">
              <p>Packages that the operator of this site offers are listed here.</p>
            </Empty>
          ) : (
            <Table label="Downloads" columns={columns} rows={list} rowId={({ productType }) => productType} />
          )
        }
      </Loaded>
      {choose.error && <Failed sentence={choose.error.message} />}
      <Dialog title="Download" open={download !== undefined} onClose={() => setDownload(undefined)}>
        {download && <DownloadResult download={download} />}
      </Dialog>
    </>
  );
}
