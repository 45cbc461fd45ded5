/** The signs beside words. No word is left out for one: they are for who looks, not for who listens. */
import type { ReactNode } from 'react';

const paths = {
  waiting: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM7.25 4h1.5v3.7l2.5 1.5-.75 1.25L7.25 8.5V4Z',
  running: 'M4 2.5v11L13 8 4 2.5Z',
  done: 'M13.6 4.4 6.5 11.5 2.4 7.4l1.2-1.2 2.9 2.9 5.9-5.9 1.2 1.2Z',
  blocked: 'M8 1.5 15.3 14H.7L8 1.5ZM7.25 6v4h1.5V6h-1.5Zm0 5v1.5h1.5V11h-1.5Z',
  failed: 'M4.2 3 8 6.8 11.8 3 13 4.2 9.2 8l3.8 3.8-1.2 1.2L8 9.2 4.2 13 3 11.8 6.8 8 3 4.2 4.2 3Z',
  paused: 'M4 2.5h2.5v11H4v-11Zm5.5 0H12v11H9.5v-11Z',
  interrupted: 'M9.5 1 3 9h4l-1 6 7-8.5H8.5L9.5 1Z',
  answered: 'M6.5 3v3H9a4 4 0 0 1 4 4v3h-1.6v-3A2.4 2.4 0 0 0 9 7.6H6.5v3L2 6.8 6.5 3Z',
  ask: 'M1.5 2.5h13v9H8l-3.5 3v-3h-3v-9Zm1.5 1.5v6h3v1.2L7.4 10H13V4H3Z',
  ledger: 'M3 1.5h10v13H3v-13Zm1.5 1.5v10h7V3h-7ZM6 5h4v1.3H6V5Zm0 2.7h4V9H6V7.700Z',
  fleet: 'M2 3h5v4H2V3Zm7 0h5v4H9V3ZM2 9h5v4H2V9Zm7 0h5v4H9V9Z',
  inbox: 'M2 2.500h12l1 7v4H1v-4l1-7Zm1.300 1.500-.7 5H5l1 2h4l1-2h2.400l-.7-5H3.300Z',
  broken: 'M2 7h4v1.600H2V7Zm8 0h4v1.600h-4V7ZM7 2h1.500v3H7V2Zm0 9h1.500v3H7v-3Z',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path fill="currentColor" fillRule="evenodd" d={paths[name]} />
    </svg>
  );
}
