/** Every address of the console, in the order of its navigation; an address that is not here is the not-found page. */
export const consolePages = [
  { path: '/console', title: 'Overview' },
  { path: '/console/licences', title: 'Licences' },
  { path: '/console/orders', title: 'Orders' },
  { path: '/console/subscription', title: 'Subscription' },
  { path: '/console/billing', title: 'Billing' },
  { path: '/console/invoices', title: 'Invoices' },
  { path: '/console/payment-methods', title: 'Payment methods' },
  { path: '/console/downloads', title: 'Downloads' },
  { path: '/console/usercenter', title: 'User center' },
] as const;
