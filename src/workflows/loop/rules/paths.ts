/** The two files of a loop, both at the root of the repository. */
export const prdPath = 'prd.json';
export const loopConfigPath = '.issueloop.config.json';
