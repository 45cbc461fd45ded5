/** The session ended while the page was open. */
import type { ReactNode } from 'react';
import { Command } from '../parts/small-parts.tsx';

export function SignedOut(): ReactNode {
  return (
    <main className="alone">
      <h1>The session has ended</h1>
      <p>Get a new link in the terminal, in the folder of the repository, and open it in this browser:</p>
      <Command text="gatewright serve --link" />
      <p className="quiet">Nothing that you answered is lost. Then reload this page.</p>
    </main>
  );
}
