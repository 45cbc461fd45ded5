/** How parts of a page come by what they show. */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { AnswerStore, type Concern, type Shown } from './answer-store.ts';
import type { News } from './answers.ts';
import { getJson, isServerThere } from './ask-api.ts';
import { takeListeningSlot } from './listening-slots.ts';
import { type Connection, LiveConnection } from './live-connection.ts';

const StoreContext = createContext<AnswerStore | null>(null);

const ever: Concern = () => true;

export function useStore(): AnswerStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('There is no store around this part.');
  return store;
}

/** The answer of a path, kept new. @param concern which entries of the ledger it is about; the same function each time */
export function useAnswer<T>(path: string, concern: Concern = ever): Shown<T> {
  const store = useStore();
  const watch = useCallback(
    (onChange: () => void) => store.watch(path, concern, onChange),
    [store, path, concern],
  );
  return useSyncExternalStore(watch, () => store.read<T>(path));
}

/** One page of something that grows at its end: once it is full, nothing in it changes any more. */
export function useGrowingAnswer<T extends { readonly next: number | null }>(
  path: string,
  concern: Concern,
): Shown<T> {
  const isFull = useRef(false);
  const ofPage = useCallback((news: News) => !isFull.current && concern(news), [concern]);
  const shown = useAnswer<T>(path, ofPage);
  useEffect(() => {
    isFull.current = shown.data !== null && shown.data.next !== null;
  }, [shown]);
  return shown;
}

interface Provided {
  readonly children: (connection: Connection, isSignedOut: boolean) => ReactNode;
}

export function AnswersProvider({ children }: Provided): ReactNode {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [isSignedOut, setSignedOut] = useState(false);
  const store = useMemo(
    () =>
      new AnswerStore({
        get: getJson,
        now: () => performance.now(),
        onSignedOut: () => setSignedOut(true),
      }),
    [],
  );
  useEffect(() => {
    if (isSignedOut) return;
    const live = new LiveConnection({
      onNews: (news) => store.hear(news),
      onGap: () => store.refresh(),
      onConnection: setConnection,
      listen: (address) => new EventSource(address),
      takeSlot: takeListeningSlot,
      isThere: isServerThere,
    });
    void live.open();
    // Files change without an entry on the ledger: who comes back to the page sees them as they are.
    const onFocus = (): void => store.refresh();
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('focus', onFocus);
      live.close();
    };
  }, [store, isSignedOut]);
  return <StoreContext value={store}>{children(connection, isSignedOut)}</StoreContext>;
}
