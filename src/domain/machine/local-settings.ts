/**
 * Where a user's settings for one repository are: below its git directory. No commit and no pull request reaches them, and
 * all work trees of the repository share them.
 */
export const localSettingsPath = 'gatewright/config.json';
