/** The element that stands in a text's place since the page was translated. */
const standIns = new WeakMap<Node, Element>();
/** Elements with such texts. */
const known = new WeakSet<Node>();

let started = false;

/** What is in a node's place: itself, or what the translation has put there. */
function inPlaceOf<T extends Node>(node: T, parent: Node): T | Element {
  const standIn = standIns.get(node);
  return standIn?.parentNode === parent ? standIn : node;
}

/** Lets React remove a translated text from its parent, and insert before it. */
function followIn(parent: Node): void {
  if (known.has(parent)) return;
  known.add(parent);
  const { removeChild, insertBefore, appendChild } = parent;
  parent.removeChild = (child) => {
    removeChild.call(parent, inPlaceOf(child, parent));
    return child;
  };
  parent.insertBefore = (node, child) => {
    insertBefore.call(parent, inPlaceOf(node, parent), child && inPlaceOf(child, parent));
    return node;
  };
  parent.appendChild = (node) => {
    appendChild.call(parent, inPlaceOf(node, parent));
    return node;
  };
}

function onChange(records: MutationRecord[], observer: MutationObserver): void {
  for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    // React has changed a text: it is shown again, and the browser translates it as it does any new text.
    if (type === 'characterData') standIns.get(target)?.replaceWith(target);
    for (const text of removedNodes) {
      // One that is in the page again was moved.
      if (!(text instanceof Text) || text.isConnected) continue;
      const around = [...addedNodes, previousSibling, nextSibling];
      const standIn = around.find((node) => node instanceof HTMLElement && node.localName === 'font');
      if (!(standIn instanceof Element)) continue;
      standIns.set(text, standIn);
      followIn(target);
      observer.observe(text, { characterData: true });
    }
  }
}

/**
 * Keeps what React renders correct when the browser translates the page: Chrome and Edge replace each text by `<font>`
 * elements, and React would go on changing texts that are no longer in the page, and fail when it removes one.
 */
export function keepTranslated(): void {
  if (started) return;
  started = true;
  // Dialogs and menus are outside the console's own element.
  new MutationObserver(onChange).observe(document.body, { childList: true, subtree: true });
}
