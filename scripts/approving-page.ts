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
} from '../src/domain/spoken/approval-words.ts';
import { markdownTable, note } from './page-parts.ts';

const all = (phrases: readonly string[]): string => phrases.map((phrase) => `\`${phrase}\``).join(', ');
const verbs = (how: 'alone' | 'with'): string[] =>
  Object.keys(approvingVerbs).filter((verb) => approvingVerbs[verb] === how);

const notHeard: readonly (readonly [string, string])[] = [
  [
    'quotes',
    '`> @claude approve`, also a line that continues a quote, alerts, and a line that begins with an escaped `\\>`',
  ],
  ['code', 'blocks, indented lines, and text in back-ticks'],
  ['struck-out text', '`~~@claude approve~~`, `~@claude approve~`, `<del>`'],
  ['boxes', '`- [ ] approve`, ticked or not, with everything nested in it'],
  ['tables, pictures, links', 'also the text of a link and addresses'],
  [
    'HTML',
    'everything between a tag and its end; after a tag that is unknown, malformed, left open or closed by another tag, everything that follows. A name that HTML never had, as in `Array<string>`, is no tag. Only `<br>` and `<hr>` are breaks, and a comment counts as nothing',
  ],
  ['footnotes, formulas, settings at the head', '`[^1]: …`, `$$ … $$`, lines between `---` at the beginning'],
  ['quotation marks', '"@claude approve" with a mention in it counts as words of another person'],
  [
    'mail',
    'text after "On … wrote:" (also in some other languages) that is not marked as a quote, forwarded messages, signatures after `--` (mail addresses, telephone numbers, "Sent from my iPhone")',
  ],
  [
    'disguise',
    '`\\@claude`, `&commat;claude`, letters of other scripts, marks without width, `@**claude**`, text with reversed direction',
  ],
  ['longer names', '`@claude-bot`, `@claude/x`, `me@claude.example`, `@@claude`'],
];

export function approvingPage(): string {
  return [
    '# What is heard, and what approves a plan',
    note,
    'One parser reads mentions, approvals, dismissals and calls for a review. It reads the plain text of paragraphs, headings and list items, as GitHub shows them. `claude` below stands for the name in `fleet.handle`.',
    '## What is not heard',
    markdownTable(['what', 'for example'], notHeard),
    'Some of this text is visible to readers, and its author may mean it: an alert, words after an escaped `\\>`, text under `--` that may be more than a signature (names and titles, too), a line without `>` right under quoted lines, text under "On … wrote:" or under another header of a mail that is not quoted, such a header without a date or with a sentence in it, settings between hyphens, text that is nested too deep for the parser. A comment with such text approves and dismisses nothing, and Gatewright asks you. A sentence that takes a dismissal back ("On second thought, don’t.") leaves the finding as it is.',
    'If `@claude` does not answer a comment that contains HTML, or a type with the name of a tag outside of code (`Array<object>`), put back-ticks around it or write the mention first.',
    '## What approves a plan',
    'A comment approves a plan when **all** of its sentences are made of the phrases below and one of them approves. Capitals, full stops, exclamation marks after a word and thanks change nothing. A condition, a "not" (also as in `!approve`), a question, a time, a part ("approve step 1"), another person who is called, an ellipsis, or any sign that is not listed makes it no approval: then Gatewright asks you and starts nothing. It understands English only; after a yes in another language it asks you.',
    `**Approve anywhere in a comment under a plan:** ${all(approvingPhrases)}.`,
    `**Approve alone, or with an object:** ${all(verbs('alone'))}. **Approve with an object:** ${all(verbs('with'))}. The objects are ${all(approvedObjects)}.`,
    `**A yes to the question that the plan asks:** ${all(assentingPhrases)}, or nothing but ${assentingSigns.join(' ')}. A yes counts when the comment mentions \`@claude\`, or comes right after the plan or after a question of Gatewright. Later in a conversation, or under a quote of another text than that question, it may answer something else, and Gatewright asks you. "OK, thanks" is no yes.`,
    `**May stand beside:** ${all([...pleasantries, ...thanks])}, and the signs ${goodSigns.join(' ')}, also by name (\`:+1:\`).`,
    '"Please approve", "go ahead and approve", "now approve it", "hey, approve it" and "approve, everyone" without a mention are requests to another person, and a list of two or more points may be a list of steps: Gatewright asks you. Reactions to a comment are not read.',
    '## What changes a plan',
    'Mention `@claude` under the plan and say what should be different. `@claude revise: …`, `/revise …` and "revise the plan …" are always a change, whatever words follow, and so is a sentence such as "the implementation should use SQLite", also without a mention. If a comment mentions approval but does not approve, or says too little ("no", a sign, a single word), Gatewright asks you: each time if you mention `@claude`, otherwise once for each plan.',
    '## What dismisses a finding',
    'Write `@claude dismiss ID`, with one or more ids and optionally a reason after "because" or "since": one plain clause, without commas, colons, dashes, brackets, question marks or a second sentence. Beside such orders a comment may hold thanks and pleasantries of the lists above, and quotes. A comment that says anything else dismisses nothing, and Gatewright asks you. A reason that sounds like a doubt or a condition dismisses nothing either.',
  ].join('\n\n');
}
