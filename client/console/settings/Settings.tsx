import { calls } from '../../contract/calls.ts';
import type { Installation } from '../../contract/console/installation.ts';
import { useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import { LicenceCode } from './LicenceCode.tsx';
import { LicenceFacts } from './LicenceFacts.tsx';

/** Settings of the installation, for its owner. */
export default function Settings() {
  const installation = useCall<Installation>(calls.installation);
  return (
    <Loaded query={installation} lines={6}>
      {(known) =>
        known.links === null ? (
          <Empty title="No licence is needed">
            <p>Nothing limits the links of this installation.</p>
          </Empty>
        ) : (
          <>
            <Section title="Licence" lede="A link is one data job between one source and one target.">
              <LicenceFacts installation={known} links={known.links} />
            </Section>
            <Section
              title="Enter a code"
              lede="It is verified on this server with the seller’s public key; no other service is contacted."
            >
              <LicenceCode />
            </Section>
          </>
        )
      }
    </Loaded>
  );
}
