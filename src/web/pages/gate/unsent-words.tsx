/** What a person wrote for a gate that someone else answered first. */
import type { ReactNode } from 'react';
import { useUnsentWords } from '../../data/kept-words.ts';
import { Text } from '../../parts/small-parts.tsx';

interface UnsentWordsProps {
  readonly gate: string;
  /** The words of the answer that counts: they may be these, when only the receipt was lost. */
  readonly given: string | null;
}

export function UnsentWords({ gate, given }: UnsentWordsProps): ReactNode {
  const words = useUnsentWords(gate);
  if (words === '' || words === given?.trim()) return null;
  return (
    <section className="box given" aria-label="Not sent">
      <p>
        <strong>What you wrote was not sent.</strong> It stays here as long as this tab is open:
      </p>
      <blockquote>
        <Text>{words}</Text>
      </blockquote>
    </section>
  );
}
