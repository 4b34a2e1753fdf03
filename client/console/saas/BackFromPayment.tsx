import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import type { Call } from '../../contract/calls.ts';
import { Notice } from '../parts/Notice.tsx';

const lookEveryMs = 2_000;
const mostLooks = 30;

/** Welcomes a customer back from the payment service, whose event may arrive later. @param call what shows its effect */
export function BackFromPayment({ call }: { call: Call }) {
  const [query] = useSearchParams();
  const queries = useQueryClient();
  const isBack = query.has('paid');
  useEffect(() => {
    if (!isBack) return;
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      if (looks === mostLooks) clearInterval(timer);
      void queries.invalidateQueries({ queryKey: [call] });
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [isBack, queries, call]);
  return (
    isBack && (
      <Notice>
        Thank you. Your change at the payment service shows here within a minute, or within ten if its report is lost.
      </Notice>
    )
  );
}
