// Where the reader is: the address, kept in step with the browser's history.

class Place {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  constructor() {
    addEventListener('popstate', () => this.read());
  }

  /** Goes to an address of this site without loading a document. */
  go(to: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', to);
    else history.pushState(null, '', to);
    this.read();
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }
}

export const place = new Place();

/** Follows plain clicks on links of this site inside the page; everything else stays with the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  // Links of drawings have no address parts of their own, so the attribute is read.
  const link = (event.target as Element | null)?.closest('a');
  const href = link?.getAttribute('href');
  if (!link || href == null || href.startsWith('#') || link.hasAttribute('target') || link.hasAttribute('download')) return;
  const to = new URL(href, location.href);
  if (to.origin !== location.origin || to.pathname.startsWith('/api/')) return;
  event.preventDefault();
  place.go(to.pathname + to.search + to.hash);
}
