/** Which page an address shows. */
import { lazy, type ReactNode, Suspense } from 'react';
import { pageAddresses } from '../../entrypoints/server/api/schemas/page-addresses.ts';
import { FailureBoundary } from '../frame/failure-boundary.tsx';
import { FocusHeading } from '../routing/focus-heading.ts';
import type { Place } from '../routing/read-address.ts';
import { Link } from '../routing/use-address.tsx';
import { FleetPage } from './fleet-page.tsx';
import { InboxPage } from './inbox-page.tsx';
import { LedgerPage } from './ledger/ledger-page.tsx';
import { RunPage } from './run-page.tsx';
import { RunsPage } from './runs-page.tsx';

/** The parser of Markdown comes with the first gate that is opened. */
const GatePage = lazy(async () => ({ default: (await import('./gate/gate-page.tsx')).GatePage }));

function choosePage({ page, id, query }: Place): ReactNode {
  switch (page) {
    case 'inbox':
      return <InboxPage />;
    case 'runs':
      return <RunsPage key={query.toString()} query={query} />;
    case 'run':
      return <RunPage key={id} id={id} />;
    case 'gate':
      return <GatePage key={id} id={id} />;
    case 'fleet':
      return <FleetPage />;
    case 'ledger': {
      const subject = query.get('subject') ?? '';
      const entry = /^\d{1,9}$/u.exec(query.get('entry') ?? '')?.[0];
      return (
        <LedgerPage
          key={query.toString()}
          subject={subject}
          entry={entry === undefined ? null : Number(entry)}
        />
      );
    }
    case 'unknown':
      return (
        <>
          <h1 tabIndex={-1}>There is no such page</h1>
          <p>
            What waits for you is in the <Link to={pageAddresses.inbox}>inbox</Link>.
          </p>
        </>
      );
  }
}

export function Page({ place }: { readonly place: Place }): ReactNode {
  // Another address is another page: what failed before says nothing about it.
  return (
    <FailureBoundary key={`${place.page} ${place.id} ${place.query}`}>
      <Suspense fallback={<p className="loading">Loading…</p>}>
        {choosePage(place)}
        <FocusHeading place={place} />
      </Suspense>
    </FailureBoundary>
  );
}
