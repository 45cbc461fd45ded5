/** The beginning of the pages. */
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AnswersProvider } from './data/use-answers.tsx';
import { FailureBoundary } from './frame/failure-boundary.tsx';
import { Frame } from './frame/frame.tsx';
import { SignedOut } from './frame/signed-out.tsx';
import { Page } from './pages/page.tsx';
import { usePlace } from './routing/use-address.tsx';

function App(): ReactNode {
  const place = usePlace();
  return (
    <AnswersProvider>
      {(connection, isSignedOut) =>
        isSignedOut ? (
          <SignedOut />
        ) : (
          <Frame place={place} connection={connection}>
            <Page place={place} />
          </Frame>
        )
      }
    </AnswersProvider>
  );
}

const root = document.getElementById('page');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <FailureBoundary isAlone>
        <App />
      </FailureBoundary>
    </StrictMode>,
  );
