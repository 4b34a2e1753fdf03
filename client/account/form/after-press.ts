/**
 * Creates a function that runs a task at once, or, while a pointer is down on the form, after its click: what the task
 * adds to the form would move the button away from under the pointer, and the click would be lost.
 */
export function afterPress(form: HTMLFormElement): (task: () => void) => void {
  let released: Promise<void> | undefined;
  form.addEventListener('pointerdown', () => {
    const press = new Promise<void>((resolve) => {
      // The click comes with the release, before any timer.
      for (const type of ['pointerup', 'pointercancel'])
        addEventListener(type, () => setTimeout(resolve), { once: true });
    });
    released = press;
    void press.then(() => {
      if (released === press) released = undefined;
    });
  });
  return (task) => {
    if (released) void released.then(task);
    else task();
  };
}
