/** The page on what is heard as an order and what approves a plan, with the lists of words from the code. */
import {
  approvedObjects,
  approvingPhrases,
  approvingVerbs,
  assentingPhrases,
  assentingSigns,
  goodSigns,
  pleasantries,
  thanks,
} from '../src/domain/approval-words.ts';
import { markdownTable, note } from './page-parts.ts';

const all = (phrases: readonly string[]): string => phrases.map((phrase) => `\`${phrase}\``).join(', ');
const verbs = (how: 'alone' | 'with'): string[] =>
  Object.keys(approvingVerbs).filter((verb) => approvingVerbs[verb] === how);

const notHeard: readonly (readonly [string, string])[] = [
  [
    'quotes',
    '`> @claude approve`, also a line that a quote goes on with, alerts, and a line that begins with an escaped `\\>`',
  ],
  ['code', 'blocks, indented lines, and what stands in back-ticks'],
  ['struck-out text', '`~~@claude approve~~`, `~@claude approve~`, `<del>`'],
  ['boxes', '`- [ ] approve`, ticked or not, with everything that is nested in it'],
  ['tables, pictures, links', 'also the words of a link and addresses'],
  [
    'HTML',
    'everything between a tag and its end; after a tag that is unknown, badly written, left open or ended by another, everything that follows. A name that HTML never had, as in `Array<string>`, is no tag. Only `<br>` and `<hr>` are breaks, and a comment is nothing',
  ],
  ['footnotes, formulas, settings at the head', '`[^1]: …`, `$$ … $$`, lines between `---` at the beginning'],
  ['quotation marks', '"@claude approve" with a call in it is what somebody else says'],
  [
    'mail',
    'what follows "On … wrote:" (also in some other languages) and is not marked as a quote, forwarded messages, signatures after `--` (addresses of mail, telephone numbers, "Sent from my iPhone")',
  ],
  [
    'disguise',
    '`\\@claude`, `&commat;claude`, letters of other scripts, marks without width, `@**claude**`, text whose direction is turned',
  ],
  ['longer names', '`@claude-bot`, `@claude/x`, `me@claude.example`, `@@claude`'],
];

export function approvingPage(): string {
  return [
    '# What is heard, and what approves a plan',
    note,
    'Mentions, approvals, dismissals and calls for a review are read by one reader. It hears the plain text of paragraphs, headings and list items, as GitHub shows them. `claude` below is what the agents are called by (`fleet.handle`).',
    '## What is not heard',
    markdownTable(['what', 'for example'], notHeard),
    'Some of this is seen by readers and may be meant: an alert, words after an escaped `\\>`, under `--` what may be more than a signature (names and titles, too), under "On … wrote:" without a date, settings between hyphens, what is nested too deep to be read. Beside it nothing approves or dismisses, and you are asked. A sentence that takes a dismissal back ("On second thought, don’t.") leaves the finding as it is.',
    'If `@claude` does not answer to a comment that has HTML in it, or a type that is called like a tag outside of code (`Array<object>`), put back-ticks around it or write the call first.',
    '## What approves a plan',
    'A comment approves a plan when **all** of its sentences are made of the phrases below and one of them approves. Capitals, full stops, exclamation marks and thanks change nothing. A condition, a "not", a question, a time, a part ("approve step 1"), another person who is called, an ellipsis, or any sign that is not listed makes it no approval: then you are asked, and nothing is begun. Only English is understood; a yes in another language is asked back.',
    `**Approve wherever they are said under a plan:** ${all(approvingPhrases)}.`,
    `**Approve alone, or with an object:** ${all(verbs('alone'))}. **Approve with an object:** ${all(verbs('with'))}. The objects are ${all(approvedObjects)}.`,
    `**A yes to the question that the plan asks:** ${all(assentingPhrases)}, or nothing but ${assentingSigns.join(' ')}. A yes counts when the comment mentions \`@claude\`, or comes right after the plan or after what was asked back of you; later in a conversation, or under a quote of something else than that question, it may be another answer, and you are asked. "OK, thanks" is no yes.`,
    `**May stand beside:** ${all([...pleasantries, ...thanks])}, and the signs ${goodSigns.join(' ')}, also by name (\`:+1:\`).`,
    '"Please approve" without a mention is a request to somebody else, and approves nothing. Reactions to a comment are not read.',
    '## What changes a plan',
    'Mention `@claude` under the plan and say what should be different. `@claude revise: …`, `/revise …` and "revise the plan …" are always a change, whatever words follow, and so is a sentence such as "the implementation should use SQLite", also without a mention. When what you say speaks of approving and does not approve, or says too little to go by ("no", a sign, a single word), you are asked: each time if you mention `@claude`, otherwise once for each plan.',
    '## What dismisses a finding',
    '`@claude dismiss ID`, with one or more identities and if you like a reason after "because" or "since": one plain clause, without commas, colons, dashes, brackets, question marks or a second sentence. Beside such orders a comment may hold thanks and pleasantries of the lists above, and quotes. A comment that says anything else dismisses nothing, and you are asked. A reason that sounds like a doubt or a condition dismisses nothing either.',
  ].join('\n\n');
}
