/**
 * Every console address, in navigation order; an address that is not here is the not-found page. Pages outside the
 * navigation name the entry that they belong to; `for` marks what only the owner of an installation that needs a
 * licence has.
 */
export const consolePages = [
  { path: '/console', title: 'Overview' },
  { path: '/console/jobs', title: 'Jobs' },
  { path: '/console/job', title: 'Job', within: '/console/jobs' },
  { path: '/console/new-job', title: 'New job', within: '/console/jobs' },
  { path: '/console/data-sources', title: 'Data sources' },
  { path: '/console/api-keys', title: 'API keys' },
  { path: '/console/licences', title: 'Licences' },
  { path: '/console/orders', title: 'Orders' },
  { path: '/console/subscription', title: 'Subscription' },
  { path: '/console/billing', title: 'Billing' },
  { path: '/console/invoices', title: 'Invoices' },
  { path: '/console/payment-methods', title: 'Payment methods' },
  { path: '/console/downloads', title: 'Downloads' },
  { path: '/console/usercenter', title: 'User center' },
  { path: '/console/settings', title: 'Settings', for: 'licence' },
] as const satisfies readonly { path: string; title: string; within?: string; for?: 'licence' }[];
