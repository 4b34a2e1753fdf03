import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy } from 'react';
import { Route, Switch } from 'wouter';
import { Layout } from './Layout.tsx';
import { LazyPart } from './parts/LazyPart.tsx';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true } },
});

/** Each page is loaded when it is opened. */
const pages = [
  ['/console', lazy(() => import('./overview/Overview.tsx'))],
  ['/console/jobs', lazy(() => import('./jobs/Jobs.tsx'))],
  ['/console/job', lazy(() => import('./jobs/JobPage.tsx'))],
  ['/console/new-job', lazy(() => import('./new-job/NewJob.tsx'))],
  ['/console/data-sources', lazy(() => import('./sources/DataSources.tsx'))],
  ['/console/api-keys', lazy(() => import('./api-keys/ApiKeys.tsx'))],
  ['/console/licences', lazy(() => import('./licences/Licences.tsx'))],
  ['/console/orders', lazy(() => import('./orders/Orders.tsx'))],
  ['/console/subscription', lazy(() => import('./saas/Subscription.tsx'))],
  ['/console/billing', lazy(() => import('./billing/Billing.tsx'))],
  ['/console/invoices', lazy(() => import('./billing/Invoices.tsx'))],
  ['/console/payment-methods', lazy(() => import('./saas/PaymentMethods.tsx'))],
  ['/console/downloads', lazy(() => import('./downloads/Downloads.tsx'))],
  ['/console/usercenter', lazy(() => import('./usercenter/UserCenter.tsx'))],
  ['/console/settings', lazy(() => import('./settings/Settings.tsx'))],
] as const;

/** The console: navigation on the left, one page on the right. */
export function ConsoleApp() {
  return (
    <QueryClientProvider client={queries}>
      <Layout>
        <Switch>
          {pages.map(([path, Page]) => (
            <Route key={path} path={path}>
              <LazyPart key={path} lines={4}>
                <Page />
              </LazyPart>
            </Route>
          ))}
        </Switch>
      </Layout>
    </QueryClientProvider>
  );
}
