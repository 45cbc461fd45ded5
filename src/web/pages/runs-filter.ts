/** Which runs an address asks for, and how one of them would begin. */
export const workflows = ['issue', 'lld', 'agent', 'loop', 'pipeline'] as const;

const known: Readonly<Record<string, (value: string) => boolean>> = {
  state: (value) => ['open', 'all'].includes(value),
  workflow: (value) => workflows.some((one) => one === value),
  number: (value) => /^[1-9]\d{0,8}$/u.test(value),
  subject: (value) => value !== '' && value.length <= 400,
};

/** Only what the API knows; anything else in an address is left out. */
export function readFilter(query: URLSearchParams): URLSearchParams {
  const filter = new URLSearchParams();
  for (const [name, isKnown] of Object.entries(known)) {
    const value = query.get(name);
    if (value !== null && isKnown(value)) filter.set(name, value);
  }
  return filter;
}

interface Beginning {
  readonly words: string;
  /** Null where no command of a person begins it. */
  readonly command: string | null;
}

export function howToBegin(filter: URLSearchParams): Beginning {
  const number = filter.get('number') ?? '1';
  const words = 'One begins with:';
  switch (filter.get('workflow')) {
    case 'lld':
      return { words, command: `gatewright lld ${number}` };
    case 'loop':
      return { words, command: `gatewright loop plan ${number}` };
    case 'pipeline':
      return { words, command: `gatewright solve ${number}` };
    case 'agent':
      return {
        words: 'Events, labels and schedules wake the agents: the page of the fleet says which.',
        command: null,
      };
    default:
      return { words, command: 'gatewright issue --brief ideas/active/my-idea.md' };
  }
}
