import type { Brand } from '../../client/contract/site.ts';

/** What the team works on. */
export const work = [
  {
    title: 'Readers and writers',
    text: 'One plug-in for each system and direction: its log, its types, its positions, and the checks before a job starts.',
  },
  {
    title: 'The engine between them',
    text: 'Buffers, batches and the order of each key. It is the same for every pair and does not know which one it serves.',
  },
  {
    title: 'Verification and correction',
    text: 'Comparing two live systems by key without reporting a change that is only on its way, and writing what differs.',
  },
  {
    title: 'Console and workers',
    text: 'Placing tasks, moving those of a lost worker, alerts, an audit, and an open API for all of it.',
  },
  {
    title: 'Documents',
    text: 'For each system its rights, settings and limits, with commands that can be run as they stand.',
  },
];

/** What decides when two ways are possible. */
export const principles = [
  {
    title: 'Confirm, then remember',
    text: 'A position is stored after the target has confirmed. After a crash rows may be written twice, never skipped.',
  },
  {
    title: 'Stop rather than guess',
    text: 'If the log is gone that a position points to, the job stops and says so. It does not go on from a later place.',
  },
  {
    title: 'A copy is compared, not believed',
    text: 'Equal counts are a good sign. Proof is a comparison by key, and it is part of the product.',
  },
  {
    title: 'The network stays closed',
    text: 'A worker opens the link to the console, outbound. Rows of a job do not pass over it.',
  },
  {
    title: 'Limits are written down',
    text: 'Each connection says what it does not carry. Nobody should find out in production.',
  },
];

/** Who reads which address. */
export function contacts(brand: Brand) {
  return [
    { title: 'Support', text: 'Jobs, connections, installation', email: brand.supportEmail },
    { title: 'Sales', text: 'Licences, offers, larger projects', email: brand.salesEmail },
    { title: 'Privacy', text: 'Personal data and your rights', email: brand.privacyEmail },
    { title: 'Security', text: 'Weak points, suspected misuse', email: brand.securityEmail },
  ];
}
