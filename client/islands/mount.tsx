import { type ReactElement, type ReactNode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { parseJson } from '../browser/json.ts';
import type { EarlyInput, Field } from './early-input.ts';

/** A hydrated island. */
export interface Mounted {
  unmount(): void;
}

/** Calls back when React has hydrated; renders no element, so the server's HTML matches. */
function Ready({ then, children }: { then: () => void; children: ReactNode }) {
  useEffect(then, [then]);
  return children;
}

/**
 * Tells React of early input; fields take it by `onInput`, since React passes no change to a value that it has already
 * seen. What a field still shows is not set again: that would drop the visitor's selection.
 */
function repeatInput(field: Field, value: string): void {
  if (field.value !== value) field.value = value;
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
}

/**
 * Hydrates an island's own root with the adjacent props.
 * @param early what was entered so far and until React has taken over
 * @param onCrash called when the island fails later; by then the server's HTML is restored
 * @throws when the props are not the island's, or its first render fails
 */
export function mount(
  place: HTMLElement,
  render: (props: unknown) => ReactElement,
  early: EarlyInput,
  onCrash: (error: unknown) => void,
): Promise<Mounted> {
  const container = place.querySelector<HTMLElement>('[data-root]');
  const element = render(parseJson(place.querySelector('script')?.textContent ?? null));
  if (!container) throw new Error('The island has no root.');
  const copy = container.cloneNode(true);
  return new Promise((resolve, reject) => {
    let ready = false;
    const root = hydrateRoot(
      container,
      <Ready
        then={() => {
          for (const [field, value] of early.values) repeatInput(field, value);
          // If an event of the visitor has started this work of React, it undoes the repetition when it ends.
          queueMicrotask(() => {
            ready = true;
            early.stop();
            for (const [field, value] of early.values) if (field.value !== value) repeatInput(field, value);
            resolve({ unmount: () => root.unmount() });
          });
        }}
      >
        {element}
      </Ready>,
      {
        identifierPrefix: place.dataset.prefix ?? '',
        onUncaughtError(error) {
          // React has emptied the root: restore the server's HTML.
          container.replaceWith(copy);
          if (ready) onCrash(error);
          else reject(error);
        },
      },
    );
  });
}
