/** The address as state of the pages: a link changes it without loading anything anew. */
import { type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { type Place, readAddress } from './read-address.ts';

const changed = 'gatewright-address';

function watchAddress(onChange: () => void): () => void {
  for (const name of ['popstate', changed]) window.addEventListener(name, onChange);
  return () => {
    for (const name of ['popstate', changed]) window.removeEventListener(name, onChange);
  };
}

export function goTo(address: string): void {
  if (address === `${location.pathname}${location.search}`) return;
  history.pushState(null, '', address);
  window.dispatchEvent(new Event(changed));
  window.scrollTo(0, 0);
}

export function usePlace(): Place {
  const address = useSyncExternalStore(watchAddress, () => `${location.pathname}${location.search}`);
  return useMemo(() => {
    const [path = '/', search = ''] = address.split('?', 2);
    return readAddress(path, search);
  }, [address]);
}

interface LinkProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly isCurrent?: boolean;
  /** Whether `j` and `k` stop here. */
  readonly isRow?: boolean;
}

export function Link({ to, children, className, isCurrent = false, isRow = false }: LinkProps): ReactNode {
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a
      href={to}
      onClick={onClick}
      className={className}
      aria-current={isCurrent ? 'page' : undefined}
      data-row={isRow ? '' : undefined}
    >
      {children}
    </a>
  );
}
