/** What is around every page: where one can go, how many gates wait, and whether what is shown is live. */
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { pageAddresses } from '../../entrypoints/server/api/schemas/page-addresses.ts';
import type { Inbox, Session } from '../data/answers.ts';
import type { Connection } from '../data/live-connection.ts';
import { useAnswer } from '../data/use-answers.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Text } from '../parts/small-parts.tsx';
import type { Place } from '../routing/read-address.ts';
import { Link } from '../routing/use-address.tsx';
import { GoToField } from './go-to-field.tsx';
import { Help } from './help.tsx';
import { namePlace } from './name-place.ts';
import { moveToRow, useShortcuts } from './shortcuts.ts';

interface Item {
  readonly name: string;
  readonly icon: IconName;
  readonly address: string;
  readonly pages: readonly Place['page'][];
}

const items: readonly Item[] = [
  { name: 'Inbox', icon: 'inbox', address: pageAddresses.inbox, pages: ['inbox', 'gate'] },
  { name: 'Runs', icon: 'running', address: pageAddresses.runs, pages: ['runs', 'run'] },
  { name: 'Fleet', icon: 'fleet', address: pageAddresses.fleet, pages: ['fleet'] },
  { name: 'Ledger', icon: 'ledger', address: pageAddresses.ledger, pages: ['ledger'] },
];

interface FrameProps {
  readonly place: Place;
  readonly connection: Connection;
  readonly children: ReactNode;
}

export function Frame({ place, connection, children }: FrameProps): ReactNode {
  const inbox = useAnswer<Inbox>('/api/inbox').data;
  const session = useAnswer<Session>('/api/session', never).data;
  const help = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const waiting = inbox === null ? 0 : inbox.waiting.length + inbox.onForge.length;
  const repository = session?.repository ?? '';
  const counts: Readonly<Record<string, number>> = { Inbox: waiting, Runs: inbox?.running.length ?? 0 };
  const shortcuts = useMemo(
    () => ({
      j: () => moveToRow(1),
      k: () => moveToRow(-1),
      '/': () => field.current?.focus(),
      '?': () => help.current?.showModal(),
    }),
    [],
  );
  useShortcuts(shortcuts);
  useEffect(() => {
    const parts = [namePlace(place), ...(repository === '' ? [] : [repository]), 'Gatewright'];
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${parts.join(' · ')}`;
  }, [waiting, repository, place]);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      {connection === 'lost' ? (
        <div className="lost" role="status">
          <Icon name="broken" /> The connection is lost. What is shown may be old; it catches up by itself.
        </div>
      ) : null}
      <header className="side">
        <Link to={pageAddresses.inbox} className="brand">
          <span aria-hidden="true">◆</span> Gatewright
        </Link>
        <nav aria-label="Pages">
          <ul>
            {items.map(({ name, icon, address, pages }) => (
              <li key={name}>
                <Link to={address} isCurrent={pages.includes(place.page)}>
                  <Icon name={icon} />
                  <span>{name}</span>
                  {(counts[name] ?? 0) > 0 ? <span className="count">{counts[name]}</span> : null}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <div className="top">
        <strong className="repository">
          <Text>{repository}</Text>
        </strong>
        <GoToField field={field} />
        <span className="quiet person">{session === null ? '' : <Text>{session.actor}</Text>}</span>
        <button type="button" className="small" onClick={() => help.current?.showModal()}>
          Keys <kbd>?</kbd>
        </button>
      </div>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <p className="heard" aria-live="polite">
        {inbox === null
          ? ''
          : waiting === 1
            ? '1 question waits for you.'
            : `${waiting} questions wait for you.`}
      </p>
      <Help dialog={help} />
    </div>
  );
}

/** Nothing that happens changes it. */
const never = (): boolean => false;
