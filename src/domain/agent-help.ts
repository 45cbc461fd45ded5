/** What people want to know about an agent before they let it work: the help pages, part by part. */
import type { AgentName } from './agent-names.ts';

export interface AgentHelp {
  /** What it does when it is woken. */
  readonly does: string;
  /** When it stops, and how one notices. */
  readonly stops: string;
  /** How to keep it from something, or to take it back. */
  readonly holdBack: string;
  readonly never: string;
}

export const agentHelp: Readonly<Record<AgentName, AgentHelp>> = {
  implementer: {
    does: 'Reads the issue and the code. With the label "planning" it changes nothing and posts a plan that says how to approve it; answering with what should be different gets another plan. Without that label, or once somebody permitted has approved that very plan, it works in a worktree of its own, runs the verifying command, and opens a pull request that closes the issue and carries exactly one risk label. When a review finds something, it settles that on the same branch.',
    stops:
      'When its turns are used up it goes on by itself, twice at most; after that it says on the issue how far it came and tags a person. What it had is on a branch by then, finished or not. After two rounds of settling what reviews found it sums up what is left and tags the author. It also stops when the issue is closed or the budget is spent.',
    holdBack:
      'It works only when it is called: by a mention, an assignment or "planning", from a person with write permission or a listed program. Ask for a plan first with "planning". Closing the issue ends its work.',
    never:
      'Holds a credential of the forge, pushes, merges, or obeys quotes, code, edited comments and people without write permission. What it left in its worktree is looked through, committed and pushed by Gatewright.',
  },
  reviewer: {
    does: 'Reads the whole change and posts one review of that commit, whose first line is "## Issues Found" or "## No Issues"; what is minor stands apart as remarks. Each finding names file, line and severity, and keeps its identity over later commits. A review with findings wakes the implementer on pull requests of ours.',
    stops:
      'After one review of each head commit. A review of an older commit counts for nothing once there is a new one.',
    holdBack: 'Dismiss a finding: it stays dismissed.',
    never: 'Approves in the name of a person, changes code, or merges.',
  },
  'auto-merge': {
    does: 'Merges a pull request, squashed, when all of this holds, and deletes its branch if it is one of ours: "auto-merge" was set by somebody who may at exactly this head commit, our review of exactly this head commit is clean, the checks are green, nobody asked for changes, and nothing holds it. Several at once are tested together on the latest base, in batches of up to five; one that spoils a batch is found by halving and left out.',
    stops:
      'While anything of that is missing it waits: gatewright explain NUMBER names every unmet condition and who can change it.',
    holdBack: 'Set "hold", "needs-review" or "blocked" on the pull request, or make it a draft.',
    never:
      'Merges a pull request from a fork, what steers agents or builds, anything that was not reviewed as it is, or something that makes the base red.',
  },
  'ci-doctor': {
    does: 'Reads the end of the log of a workflow that failed and says what failed, why, and what would fix it: on the pull request, or on the commit when there is none. Of work in progress on a branch of an agent it says nothing.',
    stops:
      'After one diagnosis of each failed run, and none for steps of a commit that were diagnosed before. After three at one pull request on one day it says so, once. Where no model answers, it tells the facts without its words.',
    holdBack: 'Switch it off with the setting fleet.agents.',
    never: 'Treats a workflow of its own, restarts anything, or changes code.',
  },
  'pr-size-guardian': {
    does: 'Counts the changed lines, by code, and asks to split a pull request of more than 400.',
    stops: 'After one warning for each pull request. Changes of the template sync are not counted.',
    holdBack: 'Make it smaller, or let the warning stand: it keeps nothing from being merged.',
    never: 'Blocks a pull request or asks a model.',
  },
  'daily-digest': {
    does: 'Opens an issue that tells what was merged, opened and closed in the last day, what waits for a person and what is stuck.',
    stops: 'Opens nothing when nothing happened.',
    holdBack:
      'The next digest closes it; to keep one open, set "hold" on it or take its label off. Gardening leaves it alone.',
    never: 'Changes anything that it reports on, or closes an issue that is no digest of its own.',
  },
  'health-report': {
    does: 'Opens an issue with a week in numbers: how much of what the agents began was merged, how fast, by risk label, and which runs failed or stopped. All of it is counted by code.',
    stops: 'After one report a week.',
    holdBack: 'Close the issue when you have read it; gardening leaves it alone.',
    never: 'Lets a model count, or changes anything that it reports on.',
  },
  'stale-gardener': {
    does: 'Marks issues on which nothing happened for 30 days, closes those that it warned of two weeks before and that are quiet for 60, and gives issues that nobody labelled for a day a label by what they say. Tells in a report of its own what it did, if it did something.',
    stops:
      'After 50 changes in one run, the oldest first; the rest waits for the next week. In the next week it takes the mark away again where somebody spoke.',
    holdBack:
      'Say something on the issue, or set "pinned", "hold", "blocked" or "security". Issues being planned or worked on and reports are left alone anyway.',
    never: 'Closes an issue that it has not marked in an earlier run, or touches pull requests.',
  },
  'doc-drift': {
    does: 'Looks, by code, for paths, links, headings and commands in the documentation that are not there. If there are some, a model writes the correction, and it is proposed as a pull request that is reviewed like any other.',
    stops: 'When nothing is wrong, or while its last pull request is open.',
    holdBack: 'Close the pull request, or set "hold" on it.',
    never: 'Changes code, or rewrites what only could be said better: such changes of the model are dropped.',
  },
  'template-sync': {
    does: 'Compares with the template that fleet.template names and proposes what changed there as a pull request labelled "template_sync". What .templatesyncignore lists is left alone.',
    stops:
      'When there is no template or nothing new. What does not fit is left out, named in the pull request, and makes it "conflict". One that somebody else has pushed to is left to them.',
    holdBack: 'List paths in .templatesyncignore, or close the pull request: that declines what is in it.',
    never: 'Resolves a conflict by guessing, or merges what it brought.',
  },
};
