/** The configuration of a loop; where its task list is, is said in it. */
export const loopConfigPath = '.issueloop.config.json';
