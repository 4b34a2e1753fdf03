type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/**
 * Creates an element without parsing any text as HTML.
 * @param attributes `true` sets an empty attribute, `false` none, a function listens to the event of that name
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** Listens for clicks on elements that match the selector, present or future, and on anything inside them. */
export function onClick(selector: string, run: (found: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener('click', (event) => {
    const found = closest(event, selector);
    if (found) run(found, event);
  });
}

/** The event's target or its closest ancestor that matches the selector. */
export function closest(event: Event, selector: string): HTMLElement | undefined {
  const found = event.target instanceof Element && event.target.closest(selector);
  return found instanceof HTMLElement ? found : undefined;
}
