/** The session ended while the page was open. */
import type { ReactNode } from 'react';
import { Command } from '../parts/small-parts.tsx';
import { linkCommand } from './link-command.ts';

export function SignedOut(): ReactNode {
  return (
    <main className="alone">
      <h1>The session has ended</h1>
      <p>Get a new link in the terminal, in the folder of the repository, and open it in this browser:</p>
      <Command text={linkCommand(location.port)} />
      <p className="quiet">
        Then come back to this tab and reload it. Nothing that you answered is lost, and what you typed at a
        gate and did not send is still there.
      </p>
    </main>
  );
}
