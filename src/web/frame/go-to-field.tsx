/** Where a person types what they have: a number, the id of a run or of a gate, or a subject. */
import { type ReactNode, type RefObject, type SubmitEvent, useState } from 'react';
import { findPlace } from '../routing/read-address.ts';
import { goTo } from '../routing/use-address.tsx';

export function GoToField({ field }: { readonly field: RefObject<HTMLInputElement | null> }): ReactNode {
  const [isUnknown, setUnknown] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const place = findPlace(field.current?.value ?? '');
    setUnknown(place === null);
    if (place === null) return;
    if (field.current !== null) field.current.value = '';
    field.current?.blur();
    goTo(place);
  };
  return (
    <search>
      <form className="go-to" onSubmit={submit}>
        <input
          ref={field}
          type="text"
          aria-label="Go to an issue, run, gate or subject"
          aria-describedby={isUnknown ? 'go-to-hint' : undefined}
          aria-invalid={isUnknown}
          placeholder="Go to #12, a run or a gate"
          autoComplete="off"
          spellCheck={false}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <kbd>/</kbd>
        {isUnknown ? (
          <span id="go-to-hint" className="go-to-hint" role="alert">
            Type a number such as 12, or the whole id of a run or of a gate.
          </span>
        ) : null}
      </form>
    </search>
  );
}
