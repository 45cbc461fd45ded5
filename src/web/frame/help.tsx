/** Which keys do what. */
import { type ReactNode, type RefObject, useRef } from 'react';

const keys = [
  ['j, k', 'to the next row, to the one before'],
  ['Enter', 'open it'],
  ['a, r …', 'on a gate: choose the answer that shows the letter'],
  ['Esc', 'take the choice back'],
  ['/', 'go to an issue, a run, a gate or a subject'],
  ['?', 'this list'],
] as const;

export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => button.current?.blur()}>
      <h2 id="help-title">Keys</h2>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button ref={button} type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
