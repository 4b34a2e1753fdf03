import { element } from '../../browser/element.ts';

/** Without a purchase there is nothing to finish. */
export function sayWhereToStart(form: HTMLFormElement): void {
  form.replaceWith(
    element(
      'p',
      { class: 'notice' },
      'This page finishes a purchase in a cloud marketplace, and this visit brought none. Start in your marketplace account with “Set up your account”, or ',
      element('a', { href: '/register' }, 'sign up without a purchase'),
      '.',
    ),
  );
}
