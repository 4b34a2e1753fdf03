import type { Locator, Page } from 'playwright';
import type { Problems } from '../watch-page.ts';

/** Presses a button whenever a text appears; not by `click`, which would wait for a button that has just gone. */
async function pressWhenever(shown: Locator, button: Locator): Promise<void> {
  const press = () => button.evaluateAll((buttons: HTMLElement[]) => buttons[0]?.click());
  await shown.page().addLocatorHandler(shown, press, { noWaitAfter: true });
}

/**
 * Has a page retry what failed: a starved machine does not query a database within the 8.5 s that a query may take.
 * @returns what ends that
 */
export async function retrySlowQueries(page: Page, problems: Problems): Promise<() => Promise<void>> {
  problems.allow(/status (of )?50[34]/);
  const retry = page.getByRole('button', { name: 'Retry', exact: true }).first();
  await pressWhenever(retry, retry);
  return () => page.removeLocatorHandler(retry);
}

/**
 * Waits until a new job's check allows it and no other check is running: an answer older than ten seconds is asked for
 * again, which may take too long as well.
 */
export async function untilChecked(page: Page): Promise<void> {
  const failed = page.locator('.console-actions + .retry');
  const again = page.getByRole('button', { name: 'Check again' });
  const create = page.getByRole('button', { name: 'Create only', disabled: false });
  await pressWhenever(failed, again);
  await page.locator('.console-actions').filter({ has: again }).filter({ has: create }).waitFor();
  await page.removeLocatorHandler(failed);
}

/** Waits until a data source's test succeeds, which may also take longer than that. */
export async function untilAnswers(entry: Locator): Promise<void> {
  const failed = entry.getByText('Failed', { exact: true });
  await pressWhenever(failed, entry.getByRole('button', { name: 'Test', exact: true }));
  await entry.getByText('Answers', { exact: true }).waitFor();
  await entry.page().removeLocatorHandler(failed);
}
